import { labelled } from "./labelled.ts";

/** Statements as they stand in messages that are typed in haste or dictated: among questions and requests, without capitals and punctuation. */
export const DICTATED = {
  english: labelled(
    `
    f hey so quick one, ive been living in lisbon since march and my internet is terrible, which provider should i pick
    f can you give me a pasta recipe? btw im celiac so no gluten
    f looking for dinner ideas for friday. i cant eat shellfish, it makes my throat swell up
    f whats a good present for a 9 year old? my son jonas turns nine next week
    f we got a tabby cat yesterday and shes hiding under the sofa what do i do
    f help me make a budget. i take home about 2400 a month and rent is 950
    f rent is 950 for my flat and i still cant save anything
    f just so you know the spare key is with my neighbor olga in 4B
    f my wedding anniversary is june 14 so dont let me book anything then
    f i work night shifts at the hospital so mornings are bad for me
    p book something for may, i always want a window seat
    p i absolutely hate cilantro can u swap it for something else
    fp i run 5k every morning before work
    f I quit smoking two years ago and I still dream about it
    f had asthma since i was a kid, is swimming good for that?
    f my dad passed away last spring so this christmas will be weird, any ideas for mum
    f my sister lives in toronto w her 2 kids, whats the cheapest time to fly
    fp fyi i'm deaf in my left ear so calls dont work for me
    fp were both vegan me and my wife so skip the cheese
    f our golden retriever max has hip problems. what food is good
    f my gym locker code is on the yellow note in my wallet
    f I drive a 2014 toyota yaris and the brake light came on
    f im an accountant at a small firm in leeds and i need excel tips
    f so i got laid off on monday, how do i write a linkedin post
    fp i'm a night owl i never sleep before 2
    f i take metformin twice a day can i drink grapefruit juice
    f 12 weeks pregnant here!! which cheeses are ok
    f i tore my acl in 2019 and my knee still clicks
    fc my visa runs out on 3 september, what happens if i overstay
    fc my passport expires in november 2027
    f My blood type is O negative.
    fc my mother-in-law is staying with us until sunday and she doesnt eat pork
    f the doctor asked about allergies and i forgot to say penicillin, im allergic to penicillin
    f we live on the second floor no elevator so delivery needs to call me
    f im half greek half irish and want to learn some greek cooking
    f having twins is hard lol, my twins are 3 and they never nap at the same time
    f I play guitar in a band called The Late Buses, we need a poster
    fp coffee question, i take mine black, which beans
    p no horror please i dont like horror movies
    p my fav genre is thrillers, recommend sth for tonight
    p i prefer tea over coffee tbh
    p dont send me voice messages, i prefer text
    p use metric please im european
    f I'm doing a phd in linguistics at utrecht and i need help w the intro
    f ive been freelancing as a designer for six years how much should i charge
    f my boss is called martin and hes on vacation so write to his deputy
    f i'm on insulin, type one since i was eleven
    f got diagnosed w adhd last month, any tips for focus
    f i wear glasses -4.5 both eyes can i dive
    f im divorced with two teenagers who live with me every other week
    f still owe 18k on my student loan, should i invest or pay off
    f our mortgage is fixed until 2028 at 3.1 percent
    f the wifi router at my place is in the closet behind the coats
    f I keep my passport in the drawer under the printer; alarm panel is by the back door
    f my parrot kiwi screams at 5am, how do i stop it
    f oat milk in the latte recipe pls as im lactose intolerant
    f we moved to ghent two months ago and dont know anyone
    f i was born in 1987 in recife
    f My birthdays on the 9th of february
    f so my daughter mia started school in august and she cries every morning
    f my brother tom and i dont talk anymore
    f I sing in the church choir on wednesdays so not wednesday
    fp turned vegetarian in january
    f Shoe size is 42 for me, jacket is M
    f My hay fever is killing me every june
    f i use a wheelchair so check step free access
    f I teach maths at a secondary school
    f me and my husband run a bakery in cork and we open at 6
    p im really into jazz lately esp. coltrane
    p love spicy food the hotter the better
    p i cant stand crowds so rather a small place
    p keep answers short i read these on my phone
    d ok decided, im taking the job in berlin
    d we decided to go with vue instead of react in the end
    dp cancelled my gym membership, im going to train at home from now on
    c ive got a dentist appointment tuesday at 3
    c i signed up for the rotterdam marathon in april
    c need to pay the rent by friday
    c promised my mum id call her on sunday
    c i have a presentation on thursday and im nervous
    f my spanish is B1 level, correct me when i make mistakes
    f my girlfriend marta is from gdansk
    f my wife is a nurse and works weekends
    f my youngest has celiac disease
    f hi im paul from dublin
    f everyone calls me bix
    f i commute from lübeck to hamburg three days a week
    f we have a small garden facing north what grows there
    f my dishwasher is a bosch from 2016 it leaks
    f ive an iphone 12 mini and the battery is dead by noon
    f I get migraines whenever the weather changes
    f ive got a bad back so no long bike rides
    f Nuts are a no go for me, i have an epipen
    f i retired last year after 35 yrs as a bus driver
    f my pension is about 1800 euro a month
    f my grandma turns 90 on october 2
    f we speak hindi at home
    f im training to be a pilot
    f i have two horses and a donkey
    f im single and live alone w my dog
    f been in porto four years now and still cant find a decent doctor
    f delivery guy cant find us, were on the third floor of number 9, what should i write in the notes
    f i live near the station in malmo so i can walk there
    f my eczema is bad again, any cream u recommend
    f ive got an underactive thyroid and gain weight easily what diet works
    f need a birthday cake recipe, my daughter cant have eggs
    f i have vertigo so no cliff walks pls
    f i broke my wrist last winter and it still hurts when i type
    f im colorblind, which chart colors should i use
    f my son is autistic and loud places are hard for him
    f my husband marek is a firefighter, what can i gift him
    fc my stepdaughter ella is moving in with us in august
    f mum of three kids here, need quick dinners
    f my grandfather fought in korea and i want to write about him
    f my in laws live in naples and we go there every summer
    f our poodle biscuit is scared of fireworks, new years is horrible
    f my kid has a hamster named nacho
    f got a cockatiel called pip, he bites
    f i pay 1500 in rent is that too much for dublin
    f im 12k in debt from credit cards, where do i start
    f my salary goes to revolut and bills go from ing
    f i make 65k a year how much mortgage can i get
    f the key to the shed is under the blue pot just so you remember
    f the fuse box in our house is in the basement behind the bikes
    f insurance papers are in the glovebox
    f i was born on 29 february lol so when do i celebrate
    fc our wedding is on the 22nd of may, help me with a timeline
    f class of 1994 here, i was born in 1976
    f im a kindergarten teacher, need ideas for rainy days
    f i drive a truck for a living and eat in the cab mostly
    fc my shift starts at 5 so i go to bed at 8
    f i work remotely for a dutch company, how do taxes work
    f been unemployed since january and its getting hard
    f im an intern at a law firm and nobody tells me anything
    f i manage a team of six and two of them dont get along
    f i knit a lot in the evenings, suggest a podcast
    fp i bike to work every day even when it rains
    fp i go to the gym on mondays and thursdays
    fp we go to church on sundays so lunch has to be late
    fp i always nap after lunch
    fp i dont eat meat but fish is fine
    fp i dont drink alcohol whats a nice mocktail
    p we love the beach but the kids burn easily
    p not into opera at all, other ideas for vienna?
    p i really like dark chocolate, milk chocolate is too sweet for me
    p aisle seat for me please i always pick aisle
    p stop with the emojis please
    p always give me bullet points ok
    p I'd rather not get phone calls, email is better
    d after a lot of thinking we decided to sell the house
    dc im gonna quit piano and do drums instead
    c i have to see the doctor on monday at 9
    c we booked a trip to crete for september
    f just relocated to bristol for work, anything fun this weekend
    f We've got a place out in the countryside so theres no bus after 8
    f delivery form asks address its 12 elm road, i live there w my parents
    f im epileptic, is vr safe for me
    f my dad has a pacemaker can he walk through airport scanners
    f meal plan for a week pls, no soy i get hives from soy
    f turns out im anemic, foods with iron?
    f i had a hip replacement in june and want to start yoga
    f i get panic attacks on planes what helps
    f my wife is from peru and her parents visit soon, what should i cook
    f need a lego set for my nephew he's six
    f we adopted a little girl from vietnam three years ago
    f i have four siblings and none of us live in the same country
    f my mum is 71 and lives alone, which phone is easy for her
    f my labrador eats everything, is chocolate that dangerous
    f i keep two bunnies indoors, which plants are toxic
    f we have chickens and a fox keeps coming
    f mortgage is 1100 a month and goes up in may
    f ive saved about 20k for a house, is that enough for a deposit
    fc my paycheck comes on the 25th
    f toolbox lives in the cellar behind the washing machine fyi
    f i hid the bike key under the third flowerpot
    f my moms birthday is 12 april and i always forget
    f we've been married since 2015
    f im a lawyer but not for tax stuff so explain it simply
    f i work as a barista and smell like coffee all day
    f i do nights at a warehouse, when should i eat
    f writing my thesis on coral reefs at the uni of bergen
    f my dissertation is about medieval trade
    f i've been self employed for ten years
    f i play chess at a club on tuesdays
    f i bake sourdough every weekend, my starter smells odd
    f i speak german and a bit of turkish
    f i snore really badly according to my partner, what can i do
    fp i never drink coffee after 2 or i cant sleep
    fp i swim twice a week in the lake
    fp i mostly read sci fi, whats new
    p cant stand olives, leave them out
    p im a sucker for rom coms
    p i hate the cold so somewhere warm please
    p i prefer early flights
    p dont be so formal with me
    p celsius please, i dont get fahrenheit
    d made up my mind im going freelance
    c my exam is on the 12th and i havent started
    c my flight to madrid leaves saturday at 6
    c i need to return the library books by tuesday
    f ive been vegan for 3 years but i miss cheese
    f im left handed, which scissors
    f my motorbike is a honda cb500, oil type?
    f i have a samsung s21 how do i turn off aod
    f hiya im based in edinburgh and looking for a plumber who works weekends
    f we rent an attic flat so it gets super hot, how do i cool it
    f I grew up on a dairy farm so the smell doesnt bother me lol
    f jam recipe please but no strawberries im allergic
    f ive had acid reflux for years, which foods set it off
    f my mum uses a hearing aid and hates the phone
    f living with crohns here, any travel tips
    f im taking lisinopril, is ibuprofen ok
    f my uncle had a stroke last year and cant speak well
    f i wear contact lenses can i shower in them
    fc my eldest is off to uni in september, packing list?
    f our baby oliver was born on monday!!
    f my brother works in london as a chef
    f we foster kids so the house is always full
    f im a widow and 66, is online dating safe
    f my ex husband has the kids on weekends
    f got two beagles and a baby on the way, any advice
    f my tortoise is 40 years old, what should he eat
    f my horse is lame since tuesday should i call the vet
    f council tax is 180 a month where i live, is that high
    fp i'm always in my overdraft by the 20th
    f i pay 300 a month into my pension
    f garage key hangs behind the fridge, remind my husband if he asks
    f my birth certificate is in a folder at my parents place
    f my birthday is on halloween so the party has to have a theme
    f me and lena moved in together in 2020
    f im an electrician, self taught, how do i get certified
    f i work for a small startup and we have no hr
    f i got promoted to team lead yesterday, how do i handle old friends
    fp i only work part time since the baby
    f both my parents are retired and bored
    f i play tennis left handed, racket tips
    f learning arabic for my in laws, where to start
    f i garden a lot, what goes in in october
    fp i get up at 5am every day
    fp i usually take the train to work
    fp i listen to podcasts while cooking
    p mushrooms are a no for me, texture thing
    p im more of a rock person than pop
    p honestly i like cats more than dogs
    p i love minimalist design so keep the slides clean
    fp dont recommend tv shows please i dont watch tv
    p mornings work best for me for calls
    d we went with the electric car in the end
    d ive decided to drop chemistry
    c my tax return is due on the 31st of january
    c i have a job interview next wednesday at 10
    c i told my sister id help her move on saturday
    f my phone is a pixel 7 if that matters
    f im on windows 11 with 16gb ram
    f im norwegian but i live in spain now
    fcd moving to galway next month, currently i live in cork, which areas are nice
    f we dont own a car so everything has to be by train
    f my flat is in a basement and its damp, which plants survive
    f im allergic to latex, does that affect my dentist
    f my iron is always low, breakfast ideas
    f slipped disc here, which chair
    f my mum is going through chemo, what can i cook for her
    f i'm dyslexic so please use short sentences
    fc my cousin dani is getting married in july, what do i wear
    f i have five grandkids and they all want different things
    f my girlfriend is a vegetarian and i have no idea what to cook
    f my little sister is 14 and on her phone all day
    f my parents split when i was 8
    fp our rabbit only eats hay lately is that ok
    f ive got a dachshund w a bad back
    f our rent went up to 1300
    f i've got about 8k in savings, index fund or not
    f my job pays 19 an hour
    f my keys are usually in the bowl by the door
    f my will is with my solicitor in cardiff
    fc my due date is november 3
    f i graduated in 2012
    f birthday is 4th of july for me
    f im a plumber by trade, got my own van
    f i work in a call center and lose my voice a lot
    fp my boss's name is harriet and she hates emojis
    f phd student here, need help with r
    f i sing in a choir
    f ive played drums since i was ten
    fp i go running three times a week
    fp i take my tea with two sugars
    fp i read the paper every morning on the train
    p blue cheese makes me gag
    p not a fan of summer tbh
    p i love zelda games, similar ones?
    fp i need quiet when i work, noise drives me nuts
    p answer in full sentences please, always
    d we decided to keep the baby name secret
    c i have an mri on the 14th
    c i promised to bake the cake for my niece's birthday on sunday
    f i use ubuntu 24 at home
    f im 190 tall, which bike frame size
    f my native language is polish
    f im muslim so no pork or wine
    f hey whats a good gym, i live in krakow near the old town
    f we live on a house boat so no washing machine
    f im allergic to bees and going camping
    f my husband has gout so no red meat please
    f i have tinnitus and need sleep sounds
    f born with one kidney, can i do contact sports
    f my vision is really bad at night
    f we have triplets, double buggy or what
    f my uncle runs a vineyard in georgia
    f my fiance is vegetarian so the menu needs options
    f my son just started school and hates it
    f i have a ferret named ziggy, can he eat eggs
    f our cat is diabetic, which food
    f i get 1200 euro a month from my pension
    f paying off a car loan until 2028
    f the spare tire is in the garage loft
    fc my contract ends in december
    fc our anniversary is march 3rd, gift ideas?
    f im an electrical engineer so you can be technical
    f i work at a pharmacy and stand all day
    f i work from home mondays and fridays
    fc im on sabbatical until june
    f i play the ukulele badly
    fp i do yoga every morning
    fp i usually skip lunch
    p i cant stand raw onion
    p sushi is my favorite food ever
    fp i always watch movies with subtitles
    p i prefer slow travel to city hopping
    p please be blunt with me i dont like sugarcoating
    d we decided we're moving to the coast
    c vet appointment for luna is on thursday
    c i have to hand in my essay by monday
    f i use an android phone so no imessage
    f im brazilian and miss pao de queijo
    f my kids speak catalan at school
    f i have a metal plate in my left leg
    f been renting here since 2019
    f we just bought a used tesla
    f i volunteer at the animal shelter on saturdays
    f any jazz bars? im in zagreb, moved here in spring
    f our apartment is on the top floor so the wifi doesnt reach the garage
    f kiwi makes my mouth itch, im allergic i think... well yes allergic to kiwi
    f my mum has osteoporosis, safe exercises?
    f i'm on blood thinners can i take aspirin
    f i dislocated my shoulder in 2021
    f our son leo is 4 and scared of the dark
    f im godmother to my best friends baby
    f i have a half sister i never met
    f my gecko wont eat crickets anymore
    f we adopted a border collie last weekend
    f i earn 900 a month from tutoring
    fc my credit card bill is 400 this month
    f key is under the mat if anyone asks
    f i was born in 1990 in a tiny village
    f im a dj on weekends
    f i studied architecture but work as a barista
    fc i start my new job at siemens in october
    f my daughter plays violin, which size for age 7
    fp we always eat dinner at 6
    p no pineapple on pizza ever i hate it
    p autumn is my favourite season
    p im into indie games, recs?
    p i prefer spreadsheets over apps
    d decided to sell my guitar
    c im having dinner with my ex on friday
    c need to renew my passport before august
    f i use firefox on linux
    f my husband is dutch and very tall
    f vegan here, protein sources?
    `,
    `
    what does it cost to live in oslo
    translate "I live in Rome and I have two cats" into french
    write a short story in first person about a man who lost his job
    my friend says i'm allergic to work lol
    if i lived in tokyo how much would rent be
    imagine im a pirate and answer like one
    im so tired today
    ugh im hungry
    I'm bored, tell me a joke
    do i need a visa for japan?
    should i get a dog
    is it normal that my cat sleeps all day?
    I'm not sure what you mean
    im on the bus rn will write later
    i dont know
    i think the second one is better
    thats what i meant, thanks!
    I love you haha
    i hate this error
    i love how fast you are
    const me = "I am allergic to nuts"; why is this not printing
    user: I live in Paris\\nassistant: Nice!\\nwhat is wrong with this log format
    she told me "i am moving to berlin" and i didnt know what to say
    he wrote: my address is 12 hill street
    In the book the hero says I have a brother in Ohio
    let's say I have 10k, how should I invest it
    suppose my salary was 5000
    would i be happier if i moved to spain?
    I wish I had a garden
    i want to know how tall everest is
    i need a synonym for happy
    i need you to fix this function
    can you check my code
    i have a question about python
    I have a bug in line 12
    i get an error when i run npm install
    my code doesnt compile
    my screen just froze
    I have no idea how this works
    I am looking for a good pizza dough recipe
    im trying to understand recursion
    i'm getting a 404
    i forgot what i wanted to ask
    i see
    im back
    im ready, go on
    I'm good thanks
    i feel like pizza tonight
    im freezing
    I could eat a horse
    my brain is fried
    im dead lol
    im joking, i dont have a yacht
    pretend my name is Zorro
    act as if I were your boss
    I'm not saying you're wrong
    summarize: "My name is Clara, I grew up in Vienna and my father was a tailor."
    correct the grammar: i has two brother and i lives in madrid
    how do you say "i am pregnant" in spanish
    what rhymes with my cat is fat
    lyrics: I was born in the USA
    Dear Mr Hill, I am a nurse with ten years of experience and I live in Kent. (proofread this)
    the customer wrote that he's allergic to latex
    are my answers right? 1. I am 12 years old 2. I have a sister
    i might move to canada someday maybe
    maybe i should learn the piano
    I'd be rich if i had bought bitcoin
    someone asked me if i have kids
    do you know where i live?
    guess my age
    am I allergic to anything?
    what did i tell you about my car
    remind me what my sister is called
    i was wondering whether cats can eat tuna
    we were talking about trains right?
    I just finished reading your answer
    my bad
    my pleasure
    i'm in the middle of something, brb
    which vaccines do i need for kenya
    write an email to my landlord that the heating is broken
    rewrite: i am living in dublin and i am having two brothers
    my coworker goes "im vegan btw" every single lunch
    what if i had a twin
    lets pretend youre my boss and i ask for a raise
    im so done with today
    cant sleep
    I'm starving, quick recipe?
    im confused by step 3
    i didnt get the last part
    im almost there, one sec
    im gonna grab a coffee brb
    i like your answer
    i hate when the build fails lol
    my pipeline is red again
    my phone is at 2 percent
    my head hurts
    my flight is delayed
    I have two questions
    i have a list of 20 names, sort them
    i need a recipe for lasagna
    i want a picture of a fox
    im using your example but it prints None
    i am getting different results than you
    are you sure? i thought paris was bigger
    you said i was right
    the doctor in the show says i have lupus its never lupus
    he told me he lives in ghent
    My grandmother's neighbor's friend is a pilot?
    give me an example of a bio like "I'm a dad of two from Leeds"
    in the song she sings i was raised in alabama
    print("I am 30 years old")
    {"name": "Ann", "city": "Rome"}
    imagine i have a wife and three kids
    say i earned 4k, what tax would i pay
    if only i had a bigger kitchen
    i should probably drink more water
    i could move to spain, who knows
    i used to live in rome ages ago
    do you remember where i work?
    who am i
    how old am i
    am i married
    tell me what my dog is called
    thanks that helped a lot
    im not angry
    nah im good
    how long do tulips last
    can dogs eat grapes
    make a table of eu capitals
    improve this: I'm a motivated worker and I live in London
    my friend is moving to berlin and wants tips
    a guy at work has three dogs
    im kinda sad rn
    i feel sick
    i had a terrible day
    i slept badly last night
    I'm running late
    im at the supermarket which yogurt should i buy
    i am stuck on question 4
    i have a syntax error near line 40
    i have 3 tabs open and none load
    i got your message
    i understand now
    i meant the other one
    i love it!
    i dont like this version
    i dont like the second paragraph
    i prefer the first draft
    i think paris is nicer
    my question is about tax
    my printer wont connect
    my internet is slow today
    our app crashes on startup
    We have a race condition in this function
    if i had kids i would move
    should i become a vegetarian
    would it be weird to adopt a dog alone
    imagine i own a castle
    play the role of a doctor, i am your patient with a cough
    quote: "I have a dream that my four children..."
    she posted "i'm pregnant" on insta
    according to him i am allergic to effort
    i wish i lived by the sea
    maybe ill buy a van
    i might be allergic to cats not sure
    i almost adopted a cat
    what did i say about my sister
    where do i work
    do i like olives
    haha i am basically a vampire
    yeah right and im the queen of england
    SELECT * FROM users WHERE name = 'I am Bob';
    # my dog is named rex
    best pizza in naples
    explain mortgages like im five
    translate to german: my daughter is sick today
    fix the typos: i has been working at a hotel for too years
    my buddy got a dog and named it dog
    my teacher says i talk too much
    someone here lives in rome
    im so hungry i could cry
    im nervous about tomorrow
    im cold
    i feel weird today
    i just woke up
    im on hold with the bank
    im at the airport, gate changed
    i have no clue
    i have a typo in my sql
    i have another question
    i have a meeting summary here, shorten it
    i need help with my code
    i need a name for a cafe
    i tried that already
    i already told you
    i clicked the button and nothing happened
    i like the blue one more
    i dont like it, try again
    im not a fan of this draft
    my bad i meant tuesday
    my laptop wont turn on
    my code is on github
    my boss is angry today
    my train is late again
    our build takes forever today
    if i was rich id buy a boat
    what if my dog ate chocolate
    would you date me if i was a cat
    pretend i have a twin sister named zoe
    you are a travel agent and i am a customer from brazil
    write a bio: I'm a chef from Lyon and I love the sea
    "I was born in 1950 and worked in the mines" - what tense is this
    the poem says i am the master of my fate
    she thinks i live in paris
    i thought i was late
    i wonder if i should cut my hair
    maybe i have adhd idk
    i would love to live in japan
    do i have a dentist appointment
    whats my wife's name
    which of my kids is older
    i am the walrus
    im just kidding i dont have a dog
    whats a good name for a puppy
    can i freeze rice
    rewrite this nicer: I have two dogs and I cannot come
    my friend sara is allergic to nuts what can i bake for her
    a colleague told me she is leaving
    im soooo tired
    im scared of the exam tomorrow
    im lost at chapter two
    i just spilled coffee everywhere
    i had pizza for lunch
    im watching a movie
    i have 10 minutes
    i have a screenshot, can i send it
    i have a table with three columns
    i need this by friday
    i need a haircut
    i get the same result
    i see what you mean
    i understand, thanks
    i like it
    i like how this sounds
    i dont like the title
    i prefer option b
    my function returns null
    my query is slow
    my container keeps restarting
    my dinner is burning
    my order hasnt arrived
    our meeting is moved
    if i buy a dog will my cat hate me
    say i live in texas, do i pay state tax
    imagine being a doctor
    pretend i work for nasa
    from my novel: I was raised by wolves
    "i hate mondays" in italian?
    they asked if i have a degree
    my dad always said i talk too much
    wish i had a brother
    might get a cat someday
    did i tell you about my job
    what do you know about me
    am i vegetarian
    jk i dont live in a castle
    why is the sky blue
    how many calories in an egg
    translate into italian: I am a vegetarian and I have no car
    shorten this: my father was born in a village and he had nothing
    my neighbour plays drums at night, what can i do
    my teacher lives in my street
    im bored of this
    im so proud of myself today
    im stuck in traffic
    im in the kitchen, hands full, read it to me
    i just got home
    i have a flat tire help
    i have a pdf to summarize
    i have to restart the server now
    i need more examples
    i need to leave in five minutes
    i dont get it
    i dont need the intro
    i like number 2
    i want it shorter
    i tried both and neither works
    i was joking about the boat
    my code runs but prints nothing
    my test fails on ci
    my son is crying
    my tea is cold
    our server is down
    this song says i am a creep
    if i was a teacher id quit
    suppose i have two apples
    imagine that i live on mars
    i wish my cat could talk
    perhaps i should move out
    im not sure if im allergic
    would i like seattle
    where did i put my passport
    whats my favorite color
    is my sister older than me
    "we are a family of four" is that correct english
    he says hes allergic
    what time is it in tokyo
    is my code ok
    translate: I am pregnant
    reply to her: im busy and i live too far away
    my friend tom lives in oslo
    im annoyed
    im getting hungry
    i have a 404 page
    i have a presentation file here, check slide 3
    i like these
    i dont like option 2
    i wanted to say thanks
    my app is broken
    my dog is barking at the door
    my kid is asleep finally
    if i lived alone id have a cat
    would i need a visa
    pretend im 80
    maybe i have a cold
    she wrote: i moved out
    where is my passport
    what did i say about my knee
    i just sneezed
    im joking im not rich
    my bad
    `,
  ),
  chinese: labelled(
    `
    f 我住在浦东 离地铁站走路十分钟 附近有什么好吃的
    f 帮我想个晚饭 对了我花生过敏
    f 我女儿今年上小学三年级了，数学老是不及格怎么办
    f 家里养了一只柯基 三岁了 最近老掉毛
    f 我胃不太好，不能吃辣的
    f 我是护士 经常上夜班 白天怎么睡好
    f 我一个月工资八千五 房租三千 怎么存钱
    f 备用钥匙放在我妈家里
    f 我生日是农历八月十五
    f 下个月20号是我们的结婚纪念日，有什么推荐
    f 我妹妹叫小雨，在成都读大学
    f 我爸有高血压，平时吃什么好
    p 不要放香菜，我最讨厌香菜了
    fp 我喝咖啡不加糖
    p 周末我喜欢爬山 推荐几个地方
    p 以后回答简短一点
    f 我在杭州做程序员 三十二岁 想转行
    f 我去年离婚了 现在自己带孩子
    f 我怀孕五个月了能坐飞机吗
    f 我近视六百度 能做手术吗
    f 我对青霉素过敏 跟医生说过的
    f 我开的是一辆奥迪A4 最近油耗高
    fp 我老公是东北人，爱吃酸菜
    f 我家双胞胎四岁半
    f 我们上个月刚搬到苏州
    f 我妈退休了想找点事做
    f 我有两只猫 一只叫煤球一只叫年糕
    fc 我的护照明年三月到期
    fp 我吃素 已经三年了
    fp 我每天早上六点跑步
    f 我房贷还有二十年 每个月还五千六
    f 我在学日语，准备考N2
    f 我老板姓陈 特别爱开会
    f 我长期失眠 吃褪黑素有用吗
    f 我身高一米七八 体重八十公斤
    f 我老家在内蒙古 过年想带点特产回来
    f 我弟在深圳开了一家奶茶店
    p 我不看恐怖片 推荐点喜剧
    p 订票的话我要靠窗的位置
    p 别给我打电话 有事发微信
    d 我决定不考研了 直接找工作
    d 我们商量好了 房子先不买了
    c 周五下午三点我约了牙医
    c 下周一之前我要交报告
    c 我答应了女儿周末带她去动物园
    f 我是lactose intolerant的 奶茶能喝吗
    f 我在一家startup做PM，天天加班
    fp 我下班一般都八点多了 只能晚上去gym
    f 我用的是macbook air m1 跑得动吗
    f im from shanghai 但是现在住在melbourne
    f 我在南京上大学 大二了 宿舍不能做饭 吃什么健康
    f 我家在三楼没电梯 搬钢琴要多少钱
    f 晚上请朋友吃饭 我海鲜过敏 别推荐海鲜
    f 我妈有糖尿病能吃西瓜吗
    f 我腰椎间盘突出 坐久了疼 买什么椅子好
    fc 我哥在加拿大 明年结婚
    f 我儿子五岁了还不会说话 正常吗
    f 爷爷今年八十八了 想给他办寿
    f 我养了一只乌龟 冬天要不要换水
    f 我家金毛叫可乐 特别贪吃
    f 我还欠银行二十万 怎么还最划算
    f 我月薪一万二在北京够用吗
    f 护照放在书房第二个抽屉里 帮我记一下
    f 我老婆生日是十月三号
    f 我做会计的 年底特别忙
    f 我现在送外卖 一天跑十二个小时
    fp 我每周三晚上去游泳
    p 我不喜欢太甜的 奶茶要三分糖
    p 我特别爱吃火锅 但是一吃就上火
    fp 我平时听古典音乐比较多
    p 说重点 别那么啰嗦
    d 我决定下个月辞职
    c 明天上午十点我有个面试 好紧张
    f 我base在shenzhen 做hardware的
    f 我是vegetarian 有什么素菜推荐
    f 去年移民到温哥华了 还没找到工作
    f 从小跟奶奶长大 她上个月走了
    f 本人在武汉 想找个靠谱的健身房
    f 我家离地铁站很近 走路五分钟
    f 我乳糖不耐受 喝牛奶就拉肚子
    f 我从小有哮喘 能跑马拉松吗
    f 我爸痛风好多年了 啤酒能喝吗
    f 我姐姐是老师 教高中物理的
    f 外婆一个人住在乡下 有点担心
    f 儿子今年高考 压力特别大
    f 我家布偶猫六个月了 该绝育了吗
    f 孩子养了两只仓鼠 老打架
    f 我手里有三万块存款 买什么理财好
    f 车贷每个月两千三 还剩一年
    f 车钥匙在鞋柜上面的盒子里
    fc 我和我老公五月二十号结的婚
    f 我是做室内设计的 自己接单
    f 我在医院上班 三班倒
    fc 我在准备考研 英语很差
    fp 我每周练两次瑜伽
    p 我受不了榴莲的味道
    p 我超爱吃辣 推荐几家川菜
    p 以后用英文回我
    d 想好了 我去上海
    c 下周三我要去体检
    f 我是remote工作的 在大理
    f 我对坚果allergic 别放坚果
    f 我是左撇子 用什么剪刀
    fc 我老婆怀二胎了
    f 我在日本留学三年了
    f 我在名古屋上班 周末没地方去
    f 我住六楼没有电梯 买菜好累
    fp 我不能吃虾 吃了就起疹子 有什么替代的
    f 我有甲状腺结节要注意什么
    f 我奶奶九十了还能自己做饭
    f 我舅舅在广州做生意
    f 闺女上初二了 天天玩手机
    f 孩子跟我前妻住
    f 我家有只边牧 精力太旺盛了
    f 我养的鹦鹉会说话了
    f 房贷一个月四千多 压力好大
    f 我年薪二十万左右 能买什么车
    f 医保卡放在床头柜里了
    f 我妈生日是腊月初八
    f 我1990年出生的 属马
    f 我老公是厨师 天天很晚回来
    f 我干物流的 腰都快断了
    f 我在奶茶店兼职 一小时十五块
    fp 我有空就去钓鱼
    p 我不爱吃胡萝卜
    p 比起咖啡我更喜欢喝茶
    p 我是周杰伦的粉丝 有什么类似的歌手
    p 回复里不要用表情
    d 我决定去学车了
    c 下个月我要去参加婚礼 穿什么
    f 我现在人在vancouver读书
    f 我gluten过敏 有什么零食
    f 我英语不好 帮我写简单点
    f 我单身三年了
    f 我是成都人 现在在北京漂着
    f 我们小区在学校旁边 早上特别堵
    f 我芒果过敏 甜品别放芒果
    f 去年查出胆结石 平时饮食注意啥
    f 我左眼弱视 能考驾照吗
    f 我外公是老兵
    f 侄子上小学了 送什么礼物好
    f 媳妇怀孕了 想吃酸的
    f 家里养了几条金鱼 水老是浑
    f 我家英短胖成球了
    f 我花呗欠了八千
    f 我兼职时薪二十五
    f 我把备用门卡放在公司抽屉里了
    f 我和女朋友的纪念日是三月九号
    f 我开出租的 一天坐十几个小时
    f 我媳妇是小学老师
    f 我研二了 还没发论文
    fp 我每天都要喝一杯奶茶
    p 我不吃葱 也不吃蒜
    p 我喜欢安静的地方
    fp 以后叫我老王就行
    d 我们决定明年再买房
    c 我这周六搬家
    f 我做marketing的 每天写方案
    f 我手机是iphone 15 pro
    f 我是独生子 爸妈都在老家
    f 我在西安读研 想找份实习
    f 我租的房子在五楼 夏天特别热
    f 我对尘螨过敏 老打喷嚏
    f 我有甲亢能吃海带吗
    f 我血压偏高 早餐吃什么
    f 我爷爷腿脚不好 出门坐轮椅
    f 我表弟在美国读博
    f 女儿对猫毛过敏
    f 我家三个孩子 老大上初中
    f 我家泰迪十岁了 牙掉光了
    f 我养了只兔子叫团子
    fc 我信用卡每个月十号还款
    f 我有十五万存款 想买基金
    f 冬天的被子在床底的箱子里
    fc 我和老公是十一结的婚
    f 我是快递员 每天跑两百单
    f 我在养老院做护理
    f 我爸妈都是公务员
    fp 我下班都会去健身房
    p 我口味比较咸
    p 我喜欢看动漫 推荐几部
    p 我讨厌早起
    p 以后别用英文回答我
    d 我决定戒烟了
    c 我下周五有期末考试
    c 周日我要去机场接我妈
    f 我在berlin留学 学的是CS
    f 我用的airpods老断连
    f 我右耳听力不好 说话大声点
    fp 我老家四川的 特别能吃辣
    f 我家在青岛 海边
    f 我一吃桃子就过敏
    f 我爸中风过 要忌口吗
    f 我大三了 学机械的
    fc 弟弟今年高三
    f 我养了只萨摩耶 掉毛严重
    f 房子月供六千
    f 我身份证在钱包夹层里
    fc 我生日快到了 11月8号
    f 我在银行做客服
    fp 我喝饮料不加冰
    p 我爱看韩剧
    c 我下周一飞广州
    f 我会说德语
    f 我腰疼好几年了
    `,
    `
    今天好累啊
    我饿了
    我想知道珠穆朗玛峰有多高
    帮我把“我住在北京，有两个孩子”翻译成英语
    如果我住在东京，房租要多少
    假如我有一百万该怎么投资
    我不知道怎么办
    我没听懂
    我在路上
    我觉得第二个好
    我朋友说他要搬去上海
    他说“我对海鲜过敏”
    我要是会飞就好了
    我该养狗吗
    我是不是太胖了？
    写一篇作文，题目是《我的妈妈》
    我开玩笑的
    我爱你哈哈
    我需要你帮我改一下代码
    我的代码报错了
    我无语了
    我刚看完你的回答
    改病句：我昨天去了北京的明天
    小说里的主角说我出生在一个小村庄
    如果我是你我就不去
    我现在在地铁上
    我想喝奶茶
    帮我写一封请假信
    他说他在腾讯上班
    我同事养了三只猫
    我好无聊
    我刚吃完饭
    我是不是应该辞职
    翻译：我叫小明，我住在上海
    我对海鲜过敏吗
    我的狗叫什么
    我没看懂第三步
    假设我月薪三万
    我看到网上有人说我喜欢的店关门了
    别急 我在想
    我头好疼
    我快到了
    我在排队
    我刚起床
    我想吃火锅
    我有个问题
    我朋友养了条蛇
    她跟我说她在北京工作
    要是我有钱我就环游世界
    帮我润色：我是一名有五年经验的工程师
    我妹妹叫什么
    我喜欢喝咖啡吗
    我困了
    我在等外卖
    我想买个新手机
    我有点难过
    我看了下 第二版好
    我爸说今天下雨
    他是上海人
    要是我有一只狗该多好
    帮我翻译 我住在巴黎 有一个女儿
    我多大了
    我好困啊
    我刚下班
    我想睡觉
    我打不开文件
    我觉得不错
    我喜欢这个答案
    我同学在美国读书
    她问我是不是医生
    如果我有孩子我就不加班
    写个故事 主角叫小红 她住在山里
    把这句翻成英文：我喜欢下雨天
    我老家在哪
    我在开会
    我刚到公司
    我有点不舒服
    我要一个表格
    我看不懂这段代码
    我室友打呼噜怎么办
    他是我老师
    万一我怀孕了怎么办
    帮我改下这句：我住在上海三年了
    我是谁
    我在吃饭
    我想静静
    我忘了
    我朋友住在大理
    他问我住哪
    如果我搬到上海会怎样
    我家猫在叫
    我是不是感冒了
    翻译一下：我爱吃苹果
    我最近好忙
    `,
  ),
};
