// Irregular English forms that no stemmer joins. The first word of each group stands for the others.
const FORMS =
  "be go went gone goes|buy bought|bring brought|take took taken|make made|get got gotten|see saw seen|write wrote written|run ran|begin began begun|teach taught|meet met|" +
  "find found|give gave given|win won|speak spoke spoken|feel felt|keep kept|lose lost|leave left|hold held|build built|grow grew grown|sing sang sung|drive drove driven|" +
  "eat ate eaten|fall fell fallen|break broke broken|choose chose chosen|think thought|tell told|say said|send sent|spend spent|come came|become became|know knew known|" +
  "draw drew drawn|sell sold|catch caught|sleep slept|swim swam swum|wear wore worn|steal stole stolen|throw threw thrown|fly flew flown|hear heard|pay paid|stand stood|" +
  "understand understood|lead led|ride rode ridden|rise rose risen|drink drank drunk|fight fought|forget forgot forgotten|forgive forgave|hide hid hidden|lend lent|light lit|" +
  "mean meant|seek sought|shake shook|shoot shot|show shown|sit sat|stick stuck|swear swore|wake woke woken|hang hung|bite bit bitten|bend bent|dig dug|feed fed|freeze froze frozen|" +
  "child children|person people|man men|woman women|foot feet|tooth teeth|mouse mice|wife wives|life lives|knife knives|good better best|bad worse worst|mom mum mother|dad father";
export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  FORMS.slice(3)
    .split("|")
    .flatMap((line) => {
      const [first = "", ...forms] = line.split(" ");
      return forms.map((form) => [form, first] as const);
    }),
);
