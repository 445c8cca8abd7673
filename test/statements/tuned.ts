import { labelled } from "./labelled.ts";

/** The rules are tuned on them. */
export const TUNED = {
  english: labelled(
    `
    f Our house is the last one before the woods on Ridge Lane.
    f I rent a room in Kreuzberg from an old sculptor.
    f I'm based in Bergen these days.
    f Home for me is a small town near Ghent.
    f I was diagnosed with coeliac disease when I was 30.
    f I broke my collarbone twice as a teenager.
    f I'm on blood thinners since my stroke.
    pf Aspirin doesn't agree with my stomach.
    f I'm 1.92 tall and weigh about 95 kilos.
    f I've worn contact lenses since school.
    f My youngest, Theo, has just started walking.
    f My sister Agnes runs a vineyard near Tokaj.
    f I'm the middle one of five brothers.
    f Grandad lives with us since the fall.
    f My ex-wife has the children every second week.
    f Our cat Pixel is diabetic and needs insulin twice a day.
    f We foster greyhounds.
    f My parrot swears in Portuguese.
    f I make roughly 54k a year before tax.
    f My pension is with Storebrand.
    f I still owe 11,000 on my student loan.
    f We've put aside 8,000 for the roof.
    f The car keys are always in the bowl by the door.
    f My vaccination card is in the drawer under the printer.
    f I keep my passport in the safe at the office.
    f The stopcock is under the kitchen sink.
    f My mum's birthday is on Christmas Eve.
    f Our anniversary falls on the first of October.
    fc My residence permit expires in 2027.
    f I drive a forklift at the harbour.
    f I'm with the fire brigade, station 9.
    f I co-own a bike repair shop with my cousin.
    f I just started as head of design at Quillon.
    f My shift starts at five in the morning.
    p Olives make me gag.
    p I've a weakness for salted liquorice.
    p Small talk with hairdressers is torture for me.
    p Give me mountains over beaches, always.
    p Horror films keep me awake for days.
    p I'm hopelessly addicted to crosswords.
    p When you quote a price to me, include VAT.
    p Don't sugar-coat things when you review my texts.
    f Our car is a grey Volvo estate.
    f I've got an old Leica that belonged to my uncle.
    f My laptop is a ThinkPad running Debian.
    pf I read for half an hour before I fall asleep.
    pf Most evenings I walk the dog along the canal.
    f People call me Kit, short for Christopher.
    f The name's Delacroix, Inès Delacroix.
    c I'm seeing the notary on Tuesday at ten.
    c Our boiler gets serviced on the 3rd of May.
    c I've agreed to give the keynote in Turin in September.
    d We've settled on the blue tiles for the bathroom.
    d I'm not going to renew my season ticket.
    d We ended up choosing the smaller school.
    f We've just moved into a terraced house in Norwich.
    f I'm from a tiny island off the coast of Croatia.
    f My address is 22 Beech Close, Stafford.
    f We live over the shop.
    f Our postcode is BS6 5TH.
    f My asthma gets worse in cold weather.
    f I've been off gluten since January.
    f I can't tolerate dairy.
    f I had chickenpox as a kid.
    f My resting heart rate is about 52.
    f I'm short-sighted, minus four in both eyes.
    f I suffer from insomnia.
    f My husband snores like a walrus.
    f My mother-in-law is Hungarian.
    f We have a foster daughter called Amina.
    f I'm an only child.
    f I raised three boys on my own.
    f My brother and I don't speak.
    f Our youngest is allergic to eggs.
    f Mum turns 70 in August.
    f The cat is called Biscuit.
    f We had to put our old labrador down last month.
    f My horse is stabled near Epsom.
    f My salary is 41,000.
    f I have about twelve thousand in savings.
    f Rent is 980 a month for us.
    f I have a credit card with Barclays.
    f We're paying off a car loan.
    f The car insurance is with Aviva.
    f I left my spare glasses at my sister's.
    f The first aid kit lives above the fridge.
    f My will is with the solicitor, Mrs Patel.
    f We store the Christmas decorations in the loft.
    f The warranty for the washing machine is in the grey binder.
    f Our wedding was on 5 May 2012.
    f My name day is 13 December.
    f My contract with the gym runs until October.
    f I qualified as a vet in 2009.
    f I used to be a teacher, now I'm a gardener.
    f I work four days a week, Fridays are off.
    f My boss is called Anders.
    f My team has nine people.
    f I'm self-employed.
    f I've got a degree in geology.
    f I speak fluent Italian and rusty Russian.
    f I can play the accordion.
    p Mushrooms are disgusting if you ask me.
    p I'd rather text than talk.
    p I'm a sucker for marzipan.
    p Loud music stresses me out.
    p I can't function without coffee.
    p I'm not much of a drinker.
    p I find football boring.
    p My favourite season is autumn.
    p Nothing beats a hot bath.
    p Rain helps me concentrate.
    p I go for the aisle seat whenever I can.
    p I only buy second-hand clothes.
    p Skip the pleasantries when you write to me.
    p Prices in Swiss francs, always.
    p I want short answers from you.
    p Address me as Doctor Lind.
    f I own two acoustic guitars and a banjo.
    f My bike is a red Cannondale.
    f We have an electric car, a Kia.
    f I have a 3D printer in the garage.
    f My shoe size is 39.
    pf I get up at half past five every day.
    pf We eat out on Fridays.
    pf On Saturdays I coach the under-tens.
    pf I go running along the river most mornings.
    pf I never work on Sundays.
    pf I call my dad every Sunday.
    f My maiden name was Larsen.
    f I'm Ottilie, but Otti is fine.
    f My middle name is Grace.
    f You can call me Bas.
    c I'll be in Hamburg from the 3rd to the 7th of June.
    c We're having the kitchen redone in March.
    c I have to be at the airport by five tomorrow.
    c My driving lesson is on Thursday at three.
    c I promised my daughter a treehouse.
    c Dinner with the Olsens is on Saturday.
    d I've chosen the oak floor.
    d We're not having children.
    d I've given up on the novel.
    d We've decided against a dog.
    d I'm leaving the firm at Easter.
    f Our flat has three bedrooms and a balcony facing west.
    f I come from a long line of fishermen.
    f I'm currently between jobs.
    f My commute takes 50 minutes each way.
    f My dentist is in the Harbour clinic, Dr. Roos.
    f I've had tinnitus for years.
    f I carry an EpiPen because of wasps.
    f My vision is bad at night.
    f I gave up smoking in 2011.
    f My cholesterol is a bit high.
    fc I'm due to give birth in April.
    f My wife and I met in Lisbon.
    f We have four grandchildren.
    f My uncle Sid has dementia.
    f Ella, our daughter, studies in Leiden.
    f My son is left-handed and plays handball.
    f My partner's name is Jules.
    f I have a half-brother in Canada.
    f We got our cat from a shelter.
    f Our dog Moss is a border collie.
    f My guinea pigs are called Salt and Pepper.
    f I invest 300 euros a month in index funds.
    f My emergency fund is five thousand.
    f We rent out the upstairs flat for 700.
    f My IBAN is DE89 3704 0044 0532 0130 00.
    f The boiler manual is taped inside the cupboard.
    f Spare bulbs are in the box under the stairs.
    f My suitcase is in the attic.
    f The key to the bike lock is on my desk.
    f Grandma's recipe book is in the kitchen drawer.
    f My daughter's birthday is the 30th of August.
    f Our twins were born on 9 January 2015.
    f I'm an electrician by trade.
    f I run a tiny publishing house.
    f I've been at the same company for nineteen years.
    f My job title is senior buyer.
    f My working hours are ten to six.
    f I'm doing a PhD in linguistics.
    f I'm on the school board.
    f I belong to a rowing club.
    pf I'm allergic to small talk before coffee, honestly.
    p I have a thing for old maps.
    p I can't sleep with the window closed.
    p I adore rainy Sundays.
    p I'm scared of needles.
    p Black coffee, no sugar, that's how I take it.
    p My go-to order is a flat white.
    p I tend to skip breakfast.
    p I'm a night owl.
    p I don't care for olives.
    p Jazz is my thing.
    p Plain language please, no buzzwords.
    p Don't use my first name in letters to customers.
    p From now on put the date on top.
    p If you recommend restaurants, make sure they're vegan.
    f I've got an allotment by the canal.
    f Our car seats seven.
    f My camera is a Nikon Z6.
    f I still have my grandfather's watch.
    f My glasses are minus five.
    pf I meditate for ten minutes each morning.
    pf We always spend Christmas at my in-laws'.
    pf I cycle to work.
    pf Fridays we order pizza.
    pf I play five-a-side on Tuesdays.
    f I was christened Alexander but go by Sasha.
    f My initials are R.T.V.
    f Mum calls me Bean.
    c I'm giving a talk in Ghent next month.
    c My surgery is scheduled for 12 March.
    c I have to call the bank before noon tomorrow.
    c We've booked a cottage for the last week of July.
    c I'm meant to hand in my thesis by the end of May.
    c I told Marie I'd babysit on Saturday.
    d I've decided to sell the van.
    d We chose Lena's school over the one in town.
    d After a lot of thought I'm staying in the choir.
    d We're going with the heat pump.
    d I've opted for the smaller pension plan.
    f We have a south-facing terrace with a fig tree.
    f I moved out of my parents' place at seventeen.
    f My flatmate Noor is a chef.
    f The landlord lives downstairs from us.
    f My ankle never healed properly after the accident.
    f I'm prone to nosebleeds.
    f I wear a size 42 shoe.
    f I take a statin every night.
    f I had a heart attack two years ago.
    f My family comes from Goa.
    f My niece Freya is my goddaughter too.
    f Dad was a miner all his life.
    f My husband's name is Ravi and he cooks.
    f We lost our son in 2010.
    f My two boys share a room.
    f We keep bees on the roof.
    f I've a rescue dog with three legs.
    f I'm paid on the 25th.
    f My tax number is 27 345 678.
    f We split the bills fifty-fifty.
    f I put 10% of my salary into a pension.
    f My savings account is at the Sparkasse.
    f My glasses are usually on the windowsill.
    f I leave the bike in the courtyard behind the bakery.
    f The tent is in my brother's garage.
    f All the receipts are in a shoebox in the study.
    f Mother's Day matters a lot in our house.
    f Our son was born on the 4th of July 2020.
    f I'm a union rep at the brewery.
    f I work as a translator from home.
    f I'm in my second year of nursing school.
    f I'm the treasurer of our allotment society.
    f My company makes hinges.
    p I like my coffee strong and my tea weak.
    p Aubergines are the one vegetable I won't eat.
    p I'd choose a paper map over an app any day.
    p I avoid lifts whenever possible.
    p I'm happiest near water.
    p I dread public speaking.
    p I'm really into birdwatching.
    p Speak plainly to me.
    p Never mention my age in a toast.
    p Round all amounts to whole euros from here on.
    f I drive an old Saab 900.
    f We've got solar panels on the roof.
    f My piano is a 1920s upright.
    pf Every Thursday I have choir practice.
    pf I usually shop at the market hall.
    pf We go to Brittany every summer.
    f My nickname is Bear.
    f My full name is Joanna Maria Lis.
    f I go by my middle name.
    c I'm having lunch with Petra tomorrow.
    c The plumber is coming on Monday between 8 and 10.
    c I have jury duty in the second week of May.
    c I need to pay the fine by the 12th.
    c My parents arrive on Friday evening.
    d I'm going to study law after all.
    d We've agreed to call the baby Wren.
    d We've finally picked a date: 14 June.
    f Just so you know, we moved from Leeds to York in August and it's a bit quieter here.
    f I'm 34, female, and I weigh 61 kilos, in case that matters for the dose.
    f Since the accident I can't lift anything over five kilos.
    f My doctor put me on beta blockers last winter.
    f Both my parents are teachers, so I grew up in a house full of books.
    f My sister-in-law Dora is getting married to a baker.
    f Our son Emil, who is seven, has a peanut allergy.
    f We have an old tabby called Mrs Pepper and a parrot.
    f My horse needs a special diet because of laminitis.
    f I get 1,850 a month from my pension and 300 from the rented garage.
    f My main account is with Rabobank, the joint one with ASN.
    f I've lent my brother two thousand euros.
    f The key to the letterbox is on the ring with the bottle opener.
    f We hide a spare key under the third flower pot.
    f Our marriage certificate is in the fireproof box in the bedroom.
    f My medication is in the left bathroom cabinet.
    f My mum's memorial is every 2 November.
    f Our daughter was born on Midsummer's Eve.
    f I've been a bus driver in Malmö since 2006.
    f By day I'm an accountant, by night I DJ.
    f I look after the website of our parish.
    f My office is in room 4.12, next to the lifts.
    f My colleagues and I are all remote.
    p Honestly, opera leaves me cold.
    p Anything with coconut is a no for me.
    p I'm not big on spicy food.
    p Window seats for me, thanks.
    p I've always loved the smell of petrol stations.
    p I sleep best in a cold room.
    p I'd much rather walk than drive.
    p Please write dates as day, month, year in everything you send me.
    p Whenever I say "the boys", I mean my two nephews.
    p When in doubt, ask me before you book something.
    p You can drop the "Dear" in mails to my sister.
    f We drive a diesel van from 2009 that we turned into a camper.
    f I've a Bechstein grand that takes up half the living room.
    f My wedding ring has a tiny sapphire.
    pf I usually do the shopping on Saturday mornings.
    pf We don't have a TV.
    pf I don't do social media at all.
    pf I water the plants every other day.
    f My parents named me Wilhelmina, but everyone says Mina.
    f My handle is @kestrel on most sites.
    c I have a hearing test on the 9th at a quarter past three.
    c I'm on call this weekend, so no hiking.
    c We're having the in-laws over for Easter.
    c I need to renew my driving licence before the end of the year.
    c I've promised to bake the cake for Lotte's party.
    d I've made up my mind to retire at 62.
    d We are not going to extend the lease.
    d We've ruled out flying this year.
    d I'll take the job in Aarhus.
    f I live on the second floor of an old mill in Tampere.
    f Our new place is two streets from the hospital.
    f I'm originally Bolivian.
    f My hometown is Oruro.
    f My heart skips beats sometimes, I have a pacemaker.
    f I'm diabetic and check my sugar four times a day.
    f I have a bad back.
    f My son has asthma.
    f I'm allergic to latex and some antibiotics.
    f I had a hip replacement in 2020.
    f My wife's a surgeon.
    f I've got three stepchildren.
    f My dad's name was Osvaldo.
    f My grandson lives in Perth.
    f We have no children.
    f Our dog's name is Tango.
    f My cat is seventeen and nearly blind.
    f I breed canaries.
    f My monthly budget for food is 400 euros.
    f I earn 3,100 net.
    f We still owe 90,000 on the house.
    f My pin board of bills is in the kitchen.
    f I keep cash in a tea tin.
    f The insurance papers are with my brother.
    f My passport's in the desk at home.
    f The house keys are at Nora's.
    f My winter tyres are stored at the garage in Mill Street.
    f My wedding anniversary is 8 August.
    f My son's birthday is next to Christmas, on the 27th.
    f I was born on a leap day.
    f I'm a structural engineer.
    f I've been retired for three years.
    f I work in the planning department of the city council.
    f My employer is Vattenfall.
    f I have a black belt in judo.
    f I'm learning Finnish at night school.
    p I like my eggs soft.
    p I really dislike waiting rooms.
    p My favourite dish is ceviche.
    p I can't stand fluorescent light.
    p I prefer being called by my last name.
    p I love gardening more than anything.
    p Please be brief with me.
    p Always give me temperatures in Celsius.
    p I don't want to be woken before eight.
    f My car's a 2012 Skoda.
    f I have an old sewing machine from my aunt.
    f We own a small sailing boat.
    pf I usually have dinner around seven.
    pf I take the tram to work.
    pf We visit my parents every other Sunday.
    pf I listen to podcasts when I cook.
    f Call me Teo.
    f I'm called Ximena.
    c I'm flying to Lima on 3 March.
    c My mother is visiting next week.
    c I have to hand in my tax return by the end of April.
    c I'll be on holiday from 10 to 24 July.
    c We have a parents' evening on Tuesday.
    d We decided to keep the old kitchen.
    d I decided against surgery.
    d We've agreed that I take the night shifts.
    f My flat looks out over the freight yard in Duisburg.
    f I spent my childhood on army bases.
    f I've only got one kidney.
    f Strawberries bring me out in hives.
    f My eldest boy, Caspar, is at boarding school.
    f My aunt Lucinda brought me up.
    f We share our house with two greyhounds and a ferret.
    f I put aside 250 every month for the kids' studies.
    f My credit union is called Northgate.
    f The deeds to the house are with our solicitor in Thurso.
    f My spare inhaler is in the glove box.
    f I keep the wifi details on a card behind the router.
    f Our silver wedding is on 17 September.
    pf I'm a stonemason and I mostly restore churches.
    f I've just been made deputy head at Fairfield Primary.
    p Cold soups don't do anything for me.
    p I could listen to Bach all day.
    p My ideal weekend is a tent and no phone.
    p Please leave out the small talk in your answers.
    p Don't ever book me on a night bus.
    f My scooter is a pale blue Lambretta.
    f I inherited a grandfather clock from my uncle.
    pf I always nap after lunch.
    f My stage name is Vesper.
    c I'm moderating a panel in Graz on 6 November.
    c We're meeting the architect on Wednesday afternoon.
    d We've settled on a spring wedding.
    d I'm dropping the evening class.
    f Our building has no lift, so I carry everything up four floors.
    f I split my time between Ghent and Lille.
    f My street is closed to cars.
    f I was adopted when I was two.
    f I lost most of my sense of smell after Covid.
    f My blood group is A positive.
    f My hands shake a little, it's an essential tremor.
    f I can only walk with a stick.
    f My granddad flew Spitfires.
    f My wife Noor comes from Aleppo.
    f My twins just turned sixteen.
    f My ex and I share custody of Lia.
    f Our hamster escaped years ago and now we have fish.
    f I look after my neighbour's cat every August, she's called Duchess.
    f I have about 40k in an index fund.
    f My rent went up to 1,150.
    f My gas bill runs at about 90 a month.
    f I bank at the post office.
    f The deed box sits under my bed.
    f I gave a spare key to the lady across the hall.
    f My tax papers are filed under T in the study.
    f Grandma's ring is in a velvet bag in the safe.
    f My sister's wedding is on 14 February 2027.
    f Ramadan matters to us, we fast every year.
    f I'm an anaesthetist at the children's hospital.
    f I co-founded a choir.
    f I clock in at seven and leave at three.
    f I used to smoke but I quit in 2015.
    f I've run six marathons.
    p Broccoli and I are not friends.
    p I'm a morning person through and through.
    p I'm more into documentaries than films.
    p Clutter makes me nervous.
    p I'm picky about pillows.
    p Let me sleep in on Sundays, no reminders before ten.
    p I want all my summaries as bullet points.
    p Never use my work address for private mail.
    p Use Swedish with my mother-in-law.
    f I've got a telescope and a shed full of tools.
    f We traded the car for two e-bikes.
    pf I do yoga before breakfast.
    pf We have fish on Fridays.
    pf I hardly ever drive.
    f My kids call me Baba.
    f In Spain I'm known as Paco.
    c I'm doing a half marathon in Bruges on 12 April.
    c I've an appointment with the orthodontist on Monday at four.
    c We're picking up the new car next Friday.
    c The movers come on the 28th.
    d I've decided that we'll skip the trade fair.
    d We opted for the slower, cheaper courier.
    d I'm handing in my notice.
    f We live in a converted barn just outside Ludlow.
    f My address changed, it's now 8 Quarry Lane.
    f I'm allergic to shellfish and carry antihistamines.
    f I've had epilepsy since I was a teenager.
    f I'm recovering from a slipped disc.
    f My little sister Romy is a paramedic.
    f My husband is deaf in one ear.
    f We have a baby daughter named Juno.
    f Our parrot is called Admiral.
    f I rescued a three-legged cat last year.
    f I earn 2,400 a month as a barista.
    f I still have a loan of 6,000 with Santander.
    f The spare house key is with Mr Osei at number 12.
    f My passport is in the blue suitcase under the bed.
    f Dad's birthday is 30 January.
    f I work nights at a bakery.
    f I've been a piano tuner for a decade.
    p I love the smell of rain.
    p I really can't stand karaoke.
    p I prefer trains to coaches.
    p Please keep your replies in plain text.
    f I own a vintage typewriter.
    f Our car is an orange Fiat Panda.
    pf I go climbing every Wednesday.
    f My full name is Eleonora Vance.
    c I have a job interview on Thursday at ten.
    c I promised Romy I'd drive her to the airport on Sunday.
    d We decided to name the baby Juno.
    f We've got a third-floor walk-up in Porto with a view of the bridge.
    f My postal code is 4050-513.
    f I suffer from vertigo and can't do ladders.
    f My thyroid is underactive.
    f My mum had a stroke in 2019 and lives in a care home.
    f I'm the father of four girls.
    f My brother-in-law Piet is a beekeeper.
    f We took in a stray cat and named her Olive.
    f My monthly rent is 820 including heating.
    f I've got around 15,000 in a fixed-term account at Caixa.
    f The car papers are in the glove compartment.
    f I always leave my keys on the hook by the door.
    f Our anniversary is the third of June.
    f I teach geography at a secondary school.
    f I run a small print shop with two employees.
    p I hate being interrupted.
    p I'm crazy about sourdough bread.
    p Phone calls stress me out, email is better.
    p From here on, sign my mails with Dr. Alvão.
    f I play the bassoon in an amateur orchestra.
    f My computer is an old iMac.
    pf Every morning I walk to the river and back.
    f Friends call me Zé.
    c I'm getting my wisdom teeth out on the 22nd.
    c I need to renew my residence card before October.
    d We've decided to stay in Porto.
    d I'm giving up the allotment.
    p Don't translate names in my documents.
    f I've lived on a houseboat in Utrecht since 2017.
    f Our flat number is 6B and the bell says Okonkwo.
    f I wear a brace on my right wrist.
    f My cholesterol is high, so I take statins.
    f I was born without a sense of smell.
    f My wife Amara is expecting our second child.
    f My great-aunt left me her cottage.
    f My nephew Kit is studying architecture in Delft.
    f Our rabbit's name is Pepper and she's six.
    f I spend about 120 euros a month on bike repairs.
    f My energy contract is with Greenchoice until 2028.
    f The garage key is under the blue pot next to the door.
    f My diplomas are in a folder at my parents' house.
    f Mum and Dad's wedding anniversary is 12 May.
    f I'm a social worker with the city of Utrecht.
    f I used to be a chef, now I deliver parcels.
    p I'm really fond of black olives.
    p I find open-plan offices exhausting.
    p Bananas make me nauseous.
    p Always use the 24-hour clock with me.
    p Don't suggest restaurants with loud music.
    f I own a cargo bike and an old Vespa.
    f My headphones are Sennheiser HD 600s.
    pf I bake bread on Sundays.
    f My friends call me Obi.
    c I'm taking the ferry to Harwich on the 4th of April.
    c I've promised my nephew a trip to Rotterdam in May.
    d We've chosen Delft for the party.
    `,
    `
    Can you remind my brother about the keys?
    Do you think my house is worth more now?
    Is it normal that my knee clicks?
    Why does my dog eat grass?
    Which of my accounts has the best rate?
    If my car were electric, what would I save?
    Suppose we had three kids and one income.
    Pretend I'm your grandmother.
    Let's imagine I own a vineyard.
    What if my landlord refuses?
    "I live alone and I like it", as the poem goes.
    Marta wrote: I'm allergic to shellfish, please order the veggie one.
    She was like, I own three houses.
    The detective has a dog and lives above a pub.
    In the novel I'm reading, my favourite character dies.
    Rewrite: I am a teacher and I love kids.
    Translate to German: our cat is called Tiger.
    Fix the spelling in this bio:\\nI was born in Omsk and I studdied law.
    My friend's wife is expecting.
    A guy at work owns six motorbikes.
    The neighbours have a trampoline.
    His mother is a judge.
    My client lives in Dubai.
    My landlord's son plays the drums.
    The king of Norway is called Harald.
    Find me a plumber in Bergen.
    I need a train to Turin on Friday.
    I want to know the capital of Peru.
    I'd like a summary of this article.
    Remind me to water the plants.
    Call the notary and cancel.
    Put eggs and flour on my list.
    I'm back.
    I'm confused by the third chart.
    I've uploaded the file.
    I'm exhausted after that run.
    I have a headache.
    I got the same error as before.
    I tried both links.
    I see two options here.
    My battery is at four percent.
    My app won't open.
    Our server went down an hour ago.
    My train is late.
    I love this answer.
    I prefer the first draft.
    I don't think so.
    I was wrong about the date.
    I meant the other file.
    I'm literally dying of laughter, haha.
    Yeah, and I'm the pope.
    I'd kill for a coffee.
    I might buy a boat when I retire.
    I wish I had a garden.
    I hope my sister likes it.
    Would you call me a good cook?
    Am I old enough to rent a car there?
    Has my mother replied yet?
    Do we have any milk left?
    When is my appointment?
    Remind me, what is my cat called?
    Had I known, I would have stayed.
    Were I rich, I'd live in Venice.
    Let us say I weigh 80 kilos.
    In case I lose my passport, what should I do?
    Act as a landlord and I am your tenant.
    My horoscope says I'm going to be rich.
    As Groucho said, I don't want to belong to any club.
    The sign reads "We close at six".
    The email says my subscription ends in May.
    Summarise this: I work at a school and we have 300 pupils.
    How would you phrase "my wife is pregnant" politely?
    My teacher lives in the next village.
    My hairdresser just got divorced.
    The man next door keeps bees.
    Someone I know works for the railway.
    Shakespeare was born in Stratford.
    Write a birthday card for my aunt.
    Order new printer paper.
    Turn the heating down.
    Make a list of museums in Turin.
    I need to know how long the flight takes.
    I need an answer by noon.
    I want to cancel.
    I'd like two tickets for tonight.
    I'm trying to find the settings.
    I'm waiting for your answer.
    I'm at the dentist.
    I'm in a meeting, back in ten.
    I'm so excited!
    I'm bored.
    I'm on the train right now.
    I've got a question about tax.
    I have five minutes.
    I had a great weekend.
    I slept badly.
    I just spilled coffee on my keyboard.
    I forgot my umbrella.
    I saw a fox this morning.
    I clicked on Save.
    I pasted the text above.
    I get a blank page.
    I work on a fix now.
    I use the second method then.
    I like the blue one better.
    I hate this error.
    I hate it when that happens.
    My download is stuck.
    My inbox is full.
    My phone just died.
    My last answer was wrong.
    My plan for the essay is below.
    Our chat got cut off.
    We lost the match.
    We are almost there.
    We could go to Rome.
    I could use some help.
    I should sleep more.
    I can imagine.
    I can do that.
    I don't get it.
    I don't have time for this.
    I don't care.
    I don't see the button.
    I swear this printer hates me.
    I am Groot.
    I'm dead 😂
    I bet my cat is smarter than you.
    The dog ate my homework, I swear.
    That makes me happy.
    This drives me crazy.
    It keeps me waiting.
    The food is on the table.
    The file is in the folder.
    The answer is in the second paragraph.
    The meeting is at the office.
    The station is behind the church.
    How old is my passport?
    Can I keep bees in my garden?
    Would you mind checking my tax form?
    Do you know where I live?
    Should we sell the van?
    Is there a pharmacy near my flat?
    Could my tinnitus be caused by stress?
    What's the best school for my daughter?
    I wonder if I should sell the van.
    If I sell the van, how much tax do I pay?
    Assume I earn 60k and have two kids.
    Imagine I'm your boss and you're late.
    You are a doctor and I have a fever.
    Play the role of my father.
    What does "I am between jobs" mean?
    The email starts with: I am writing to you because my order is late.
    "We have four grandchildren," the old man said.
    My brother always says: I hate Mondays.
    She said her son is left-handed.
    He told me he has tinnitus.
    They've got a house in Spain.
    Tom has a new job.
    My coworker's daughter is getting married.
    The guy who fixed our roof has six kids.
    People often have more than one cat.
    Many of us work from home.
    Dogs are loyal animals.
    Translate into Spanish:\\n\\nI live in a small flat and I have two cats.
    Please correct: My brother and me likes football.
    Write a cover letter for a nurse with ten years of experience.
    Draft an email to my landlord about the leak.
    Find out when the shop opens.
    Let me know when it's done.
    Tell my wife I'm late.
    Compare these three phones for me.
    I need a gift for my niece.
    I need this translated by tomorrow.
    I need you to be faster.
    I want the short version.
    I'd like to book a flight for my mother.
    I'd appreciate a quick answer.
    I'm looking at flats in Leeds.
    I'm thinking about changing jobs.
    I'm writing a novel chapter about a nurse.
    I'm not sure what to wear.
    I'm at home now.
    I'm cooking, give me a sec.
    I'm on page 40.
    I'm running late.
    I'm glad it worked.
    I'm starving.
    I was in the shower.
    I was just wondering about that.
    I've been waiting for an hour.
    I've sent you the picture.
    I have to run, bye.
    I have a deadline in an hour and no idea.
    I had to restart twice.
    I made a typo in the second line.
    I found the bug.
    I got it.
    I think it's too expensive.
    I believe the earth is round.
    I know what you mean.
    I understand.
    I see what you did there.
    I guess my son would like that.
    I can't open the attachment.
    I can't find my keys!
    I could eat a horse.
    I don't remember.
    I don't want that.
    I didn't sleep at all.
    I only wanted to ask something.
    I always get this error.
    I never said that.
    I usually get a blank page here.
    My mistake!
    My point exactly.
    My keyboard is broken again.
    My back hurts today.
    My coffee is cold.
    My feet are killing me.
    My question was about Rome.
    Our team won!
    Our bus leaves in five minutes.
    We just landed.
    We're stuck in traffic.
    We have no milk left.
    We should get going.
    We ran out of time yesterday.
    The cat just knocked over my plant.
    The kids are asleep.
    The milk is in the fridge.
    The code is in the second folder.
    The box on the left is empty.
    That book is on my desk.
    Nice one, I'm basically a genius now 😂
    As if I'd ever pay that much.
    In my dreams I'm a rock star.
    Lol I'm allergic to Mondays.
    Have you seen my glasses?
    Did I tell you about my ankle?
    Can you tell me more about Goa?
    How do people manage with three kids?
    Will my pension be enough?
    If you were me, would you sell?
    Let's pretend I am five years old.
    Supposing I retire at 60, what do I get?
    What if I told you I'm a spy?
    My daughter asks if whales sleep.
    "My two boys share a room" sounds odd, doesn't it?
    As my grandfather used to say: I'd rather be poor than bored.
    The narrator says that he keeps bees.
    He's a translator and works from home.
    Petra has a rescue dog.
    Her nickname is Bear.
    My cousin's neighbour drives a Saab.
    Some of my classmates smoke.
    Improve this sentence: I am work in a brewery.
    Explain what a union rep does.
    Recommend a tent for two people.
    Give me five names for a dog.
    Print the second page.
    Please cancel my dentist appointment.
    Turn my notes into bullet points.
    I need some advice.
    I need to find out who called.
    I need to reset the router.
    I want to learn more about bees.
    I want to ask you something.
    I'm just testing.
    I'm curious about Goa.
    I'm ready.
    I'm afraid I don't understand.
    I'm about to leave.
    I'm sitting in the sun.
    I was reading your last answer.
    I have read the manual.
    I have another question.
    I have a picture here.
    I've changed the second paragraph.
    I've never heard of it.
    I heard that Goa is nice.
    I watched a film about bees yesterday.
    I went to the market today.
    I bought milk.
    I missed the bus.
    I dropped my phone in the sink.
    I hope you can help.
    I feel like dancing.
    I appreciate it.
    I hate to say it, but you're wrong.
    I like where this is going.
    I love your sense of humour.
    I prefer your first suggestion.
    I would say yes.
    I can hear you.
    I can't tell the difference.
    I won't do that.
    I'll check.
    I'll try again later.
    I'll have what she's having.
    My bad, wrong window.
    My answer is no.
    My hands are full.
    My alarm didn't go off.
    My parents are asleep.
    My example is on line 12.
    Our call dropped.
    We were talking about Goa.
    We got disconnected.
    We talked about this already.
    We'll figure it out.
    The printer is out of paper.
    The kids are driving me crazy today.
    The wine was great last night.
    The sun is in my eyes.
    This chair is killing my back.
    It's my turn.
    It's all in the box.
    Haha, I'm a dinosaur when it comes to apps.
    I'm the world champion of procrastination, obviously 😏
    How long should I rest after a knee operation?
    Are my parents allowed to visit me in hospital?
    Can you check if my sister-in-law's flight is on time?
    Does a tabby need special food?
    What do people earn in Malmö as bus drivers?
    I was told that the office closes at noon, is that right?
    If I were 34 and weighed 61 kilos, what would the dose be?
    Let's imagine we live on Mars.
    Suppose my pension is 1,850 a month.
    If only I had a Bechstein!
    My favourite line in the film is "I see dead people".
    The old lady says she hides her key under a pot.
    My flatmate said I should sell my van.
    Dora told us about her wedding.
    In this scene I'm a detective who hates coffee.
    As the saying goes, I came, I saw, I conquered.
    Rephrase this for my CV: I drive buses since 2006 and I like people.
    Summarize the email below.\\n\\nHi, I'm Dora, I live in Ghent and I sell bread.
    Write a dating profile: I am a 34 year old baker who loves dogs.
    The bus driver was rude.
    Bakers get up early.
    My brother's friend has a camper.
    The people upstairs own a parrot.
    My clients are mostly from Denmark.
    Angela lives two streets away.
    Fetch me the opening hours of the town hall.
    Make me a shopping list for lasagne.
    Block an hour on Friday.
    Look up the price of a diesel filter.
    I need the number of a locksmith, quickly.
    I need my notes from yesterday.
    I want to see the other option.
    I'd rather see the table first.
    I'm on hold with the bank.
    I'm having trouble with the upload.
    I'm sure you're right.
    I'm done with part one.
    I'm still waiting for the parcel.
    I'm in the middle of something.
    I was at my sister's this afternoon.
    I've just got home.
    I've got to dash.
    I have the same problem on my phone.
    I have a feeling that it's wrong.
    I had soup.
    I left you a comment in the file.
    I lost the thread, sorry.
    I made coffee.
    I moved the file to the other folder.
    I got an error in step two.
    I get that.
    I take it back.
    I keep getting logged out.
    I run the script and nothing happens.
    I read the article twice.
    I use your second formula in cell B4.
    I like it better now.
    I love Fridays, don't you?
    I hate to ask, but could you redo it?
    I never got your reply.
    I always thought whales were fish.
    I can't log in.
    I can't see the chart.
    I can do it tomorrow.
    I don't follow.
    I don't think my boss will mind.
    I'd say it's fine.
    I'll think about it.
    I will send you the file in a minute.
    My upload failed.
    My cursor jumps around.
    My stomach hurts.
    My eyes are tired.
    My lunch was great.
    My draft has 900 words.
    My suggestion is to wait.
    My sister is at the door, brb.
    My kids are at school right now.
    Our order is late.
    Our chat is getting long.
    We had a nice evening yesterday.
    We need more chairs.
    We can skip that.
    We both know that's not true.
    We are out of coffee.
    The dog is barking again.
    The cat is on my keyboard.
    The baby is crying, one sec.
    The car won't start.
    The house is a mess today.
    The key does not fit.
    The form is on the second page.
    This parcel is for my neighbour.
    That photo is from my sister's wedding.
    Pff, I'm clearly a natural talent, said nobody ever.
    Oh great, I just love waiting on hold.
    Is the mill in Tampere open on Sundays?
    What is a normal blood sugar?
    How do I take care of canaries?
    Is my passport still valid for Peru?
    When is my mother's flight?
    Could I get a loan with my income?
    Would ceviche work without lime?
    Tell me about Oruro.
    Give me a recipe for ceviche.
    Find a tram connection to the station.
    Convert 3,100 euros to dollars.
    Draw me a cat.
    Wake me at eight.
    Please be quick.
    If I had a pacemaker, could I fly?
    Pretend you live in Tampere.
    Say my salary was 5,000, what would I pay in tax?
    Let's say we own a boat.
    She has a pacemaker.
    Our neighbours breed canaries.
    My friend Nora has the keys to her office.
    The mayor lives on my street.
    Diabetics check their sugar.
    He told me that my car is too loud.
    My favourite author once wrote: I live alone.
    "We have no children" is what the sign says.
    The recipe says: always use fresh lime.
    Shorten this text: I was born in Oruro and I moved to Tampere in 2009.
    I'm freezing.
    I'm in the tram.
    I'm home.
    I'm not hungry.
    I'm eating.
    I'm a bit lost here.
    I'm the one who asked.
    I'm getting a 404.
    I am so sorry.
    I had eggs this morning.
    I saw your answer.
    I went out for a walk.
    I sat in the tram for an hour today.
    I spoke to the bank this morning.
    I bought a sewing machine yesterday.
    I found my keys.
    I tried the recipe, it was great.
    I have to go to the loo.
    I have a lot to do today.
    I've done that.
    I've never seen that message before.
    I like the second picture.
    I love it when you do that.
    I want a refund.
    I need a break.
    I need the long version.
    I'd like to know the price.
    I'll be back in an hour.
    I'll try.
    I'm going to bed.
    I'm going to check that.
    My internet is slow today.
    My flight got cancelled.
    My answer was too short.
    My head hurts.
    My guess would be Tuesday.
    My eggs are burning.
    Our meeting ran over.
    We are at the station.
    We had ceviche last night.
    We should talk about the budget.
    We talked to the bank.
    The tram is late.
    The eggs are in the pan.
    The picture is on the left.
    I'm a potato today, haha.
    Do greyhounds get along with ferrets?
    Which bus goes to Thurso?
    Would I need a visa for Graz?
    If I had one kidney, could I drink wine?
    Pretend we're stranded on an island and I'm the captain.
    My uncle always said: I owe nobody anything.
    The stonemason told us the roof was fine.
    A colleague of mine keeps ferrets.
    Their daughter plays the oboe.
    Put this into plain English: I hereby certify that I own the vehicle.
    Find me a hotel near the freight yard.
    I need a plumber who works on Sundays.
    I want to compare both offers.
    I'm in the queue at the post office.
    I'm puzzled by the last line.
    I just dropped my toast.
    I got the confirmation, thanks.
    My mouse stopped working.
    My bus is stuck in traffic.
    We ran out of milk.
    I like how short that was.
    I might nap later.
    The file is behind the second link.
    Oh sure, I'm made of money, haha.
    Is Lille far from Ghent?
    How heavy is a Spitfire?
    Can fish live with hamsters?
    What would you pay for a telescope?
    Do I have to tell my landlord?
    Should we take the slower courier?
    Who said that I smoke?
    Were my twins supposed to be there?
    If we traded the car, what would we get?
    Assuming I live in Lille, what taxes do I pay?
    Imagine my building had a lift.
    My grandad's neighbour used to say "I can only walk with a stick".
    The article claims that I can deduct it.
    The singer from my favourite band lives in Lille.
    My dentist's wife runs marathons.
    My best friend is an anaesthetist.
    Somebody in my office smokes.
    Spitfires are planes.
    Change the sentence "I clock in at seven" to past tense.
    Check the grammar please: I has an appointment on Monday.
    Compose a letter to my landlord in which I complain about the lift.
    Remind me to buy fish on Friday.
    Send a message to Noor that I'm late.
    Let me see the list again.
    Let me know by Friday.
    Use the other template.
    I want to reschedule.
    I need a taxi to the station at six.
    I'm in a hurry.
    I'm outside the building.
    I'm watching a film.
    I'm at my desk.
    I'm waiting for the movers.
    I'm with a client, later.
    I'm in.
    I'm not convinced.
    I was kidding.
    I was up all night.
    I have no signal here.
    I have the file open.
    I've had enough.
    I've got the code now.
    I lost the link.
    I broke the build again.
    I burnt the broccoli.
    I saw your note yesterday.
    I carry on then.
    I hear you.
    I suppose so.
    I prefer not to say.
    I know my sister would love this.
    I bet my boss forgot.
    I can see my house from here, haha.
    I can wait.
    I don't have the file.
    I don't use that button.
    I won't tell.
    My connection dropped.
    My hands are cold.
    My taxi is here.
    My dinner is burning.
    My last point is about costs.
    My kids are making noise, sorry.
    My car is in the way, hold on.
    Our guests just left.
    Our session expired.
    We were cut off.
    We have ten minutes.
    We need to leave now.
    We lost power for an hour.
    The lift is broken again.
    The fish is in the oven.
    The list is under the picture.
    The movers were late.
    That's my sister on the phone.
    It's in my bag.
    Just call me Captain Obvious, lol.
    How long does a slipped disc take to heal?
    Can a three-legged cat climb stairs?
    If I earned 2,400 a month, could I get a loan?
    Suppose my husband were deaf.
    Pretend I'm a barista and you order a coffee.
    My neighbour Mr Osei has a parrot.
    Romy's boss owns a bakery.
    "I love the smell of napalm" is a film quote.
    The author says that she works nights.
    Translate this: I have a baby daughter.
    Book a table for two at the harbour.
    Write a toast for my sister's wedding.
    I need directions to Ludlow.
    I want to change the font.
    I'm waiting at the gate.
    I'm so tired of this error.
    I just got off the phone.
    I can't open the page.
    My screen froze.
    My coach leaves in ten minutes.
    We lost the game.
    The receipt is in the attachment.
    Maybe I'll get a parrot.
    Sure, and I'm the emperor of China, lol.
    What's the weather in Porto?
    Could you remind me of my appointment?
    How do I get rid of vertigo?
    If I lived in a care home, who would pay?
    Let's say I have four daughters.
    Act like you're my brother-in-law.
    Piet told me that his bees died.
    "I hate being interrupted," she shouted.
    In the book the father of four girls disappears.
    Please rewrite: I am teach geography.
    My landlady's cat had kittens.
    A guy I know plays the bassoon.
    Order a sourdough starter.
    Plan a weekend in Lisbon for me.
    I need a form for the residence card.
    I want the other colour.
    I'm just about to eat.
    I'm stuck at the login.
    I ran to the river this morning.
    I can't hear you.
    My tooth hurts.
    Our train was cancelled.
    The papers are on the printer.
    I'm obviously the best cook alive, haha.
    Where can I moor a houseboat?
    Does a rabbit need company?
    What does a social worker earn?
    If I owned a Vespa, would I need a licence?
    Suppose we had a second child.
    Pretend to be my great-aunt.
    The chef told me that the kitchen was closed.
    My colleague Pim wears a brace.
    "My diplomas are worthless," says the hero.
    Translate the sentence: My wife is expecting our second child.
    Parcels are delivered by noon.
    The neighbours across the canal have a Vespa.
    Set a reminder for the ferry.
    Compare Delft and Leiden for me.
    I need a new lock for the bike.
    I want you to summarise the contract.
    I'm on the ferry.
    I'm baking, one sec.
    I opened the attachment but it is empty.
    I don't see any difference.
    My parcel is missing.
    My headphones just died.
    We arrived an hour ago.
    I'm a dishwasher with feelings, lol.
`,
  ),
  chinese: labelled(
    `
    f 我家住在江边，十六楼。
    f 我老家是绍兴的，后来去了武汉。
    f 我在青岛租房住，跟同事合租。
    f 我对青霉素过敏，打针前要说。
    f 我腰椎间盘突出好几年了。
    f 我戴八百度的眼镜。
    f 我有点夜盲，晚上不敢开车。
    f 我先生是外科医生，经常值班。
    f 我儿子今年六岁，上大班。
    f 我妹妹嫁到了长春。
    f 我爷爷八十五了，耳朵背。
    f 我家猫是只橘猫，叫饭团。
    f 我养狗，一只边牧一只柯基。
    f 我一个月房租三千五。
    f 我工资卡是工行的。
    f 我还有十万块的车贷没还完。
    f 车钥匙在玄关的抽屉里。
    f 医保卡我放在钱包夹层。
    f 水表在楼道的柜子里。
    f 我太太的生日是农历三月十五。
    f 我们结婚纪念日在立秋那天。
    f 我在物流公司当调度。
    f 我自己开了个小餐馆，卖兰州拉面。
    f 我是护士，三班倒。
    p 我最怕吃苦瓜。
    p 我是资深的科幻迷。
    p 榴莲的味道我闻都不能闻。
    pf 我早饭只喝豆浆。
    p 报告里少用英文缩写。
    p 跟我说话直说就行，别绕弯子。
    f 我的车是辆灰色的轩逸。
    f 我用的手机是小米十四。
    f 我姓欧阳，单名一个静字。
    c 我后天要去出入境办护照。
    c 我儿子下周四期末考试。
    c 我跟牙医约在了十二号上午。
    d 我们最后定了去云南玩。
    d 我想通了，不考公了。
    f 我住朝阳区，离地铁站十分钟。
    f 我家小区叫翠湖苑。
    f 我搬到厦门三年了。
    f 我有慢性胃炎。
    f 我对猫毛过敏，一摸就打喷嚏。
    f 我做过两次近视手术。
    f 我一直在吃降压药。
    f 我睡眠不好，常年失眠。
    f 我丈母娘是四川人。
    f 我家三口人。
    f 我是独生子女。
    f 我大女儿在英国留学。
    f 我外婆今年九十了。
    f 我家狗子怕打雷。
    f 我的乌龟养了十二年。
    f 我工资不高，一个月五千。
    f 我每月要还房贷六千。
    f 我存了二十万定期。
    f 我的公积金有八万。
    f 房产证在银行保险箱里。
    f 我把备用眼镜放在车里了。
    f 药都放在厨房的柜子里。
    f 发票我都夹在那个蓝色文件夹里。
    f 我爸生日是十月一号。
    fc 我的驾照明年三月到期。
    f 我在一所小学当音乐老师。
    f 我是干装修的。
    f 我们部门一共九个人。
    f 我学的是土木工程。
    f 我会弹吉他。
    f 我会说一点法语。
    p 我不爱凑热闹。
    p 我闻不了烟味。
    p 我口味比较清淡。
    p 我喝茶不喝咖啡。
    p 我宁愿走路也不坐公交。
    p 香菜我一口都不碰。
    p 回答我的时候别用感叹号。
    p 给我的报告都用表格。
    pf 称呼我李工就行。
    f 我有一把老吉他。
    f 我家车是电动的比亚迪。
    f 我的鞋码是四十二。
    pf 我每天六点半起床。
    pf 我周末一般去爬山。
    pf 我晚上十点以后不看手机。
    f 我姓沈，你叫我沈姐吧。
    f 我的英文名是Vivian。
    c 我下个月要去深圳出差。
    c 我周五晚上和老同学聚餐。
    c 我十五号有个面试。
    c 我得在月底之前把房租交了。
    d 我决定把工作辞了。
    d 我们商量好不办婚礼了。
    d 房子我们定了三楼那套。
    f 我家三室一厅，朝南。
    f 我是湖南衡阳人。
    f 我目前待业在家。
    f 我上班单程要一个小时。
    f 我的主治医生是省医院的梁主任。
    f 我有轻度脂肪肝。
    f 我前年戒了烟。
    f 我胳膊上打过钢钉。
    f 我预产期是明年二月。
    f 我和我爱人是大学同学。
    f 我有两个外孙。
    f 我弟在深圳做程序员。
    f 我妈退休前是会计。
    f 我家小子今年中考。
    f 我们家狗是领养的，叫旺仔。
    f 我家有只布偶猫。
    f 我每个月定投两千。
    f 我的社保在苏州交。
    f 行李箱在阳台上。
    f 我的病历本在床头柜里。
    f 家里的工具箱在车库。
    f 我女儿生日是八月三十号。
    f 我儿子2015年1月9号生的。
    f 我是电工。
    f 我在这家公司干了十九年。
    f 我的职位是采购主管。
    f 我朝九晚六，双休。
    f 我在读博士，研究方言。
    p 我特别迷老地图。
    p 我睡觉必须关灯。
    p 我怕打针。
    p 我最讨厌排队。
    p 美式不加糖，我一直这么喝。
    p 我是夜猫子。
    p 说人话，别用专业术语。
    p 推荐餐厅的时候只要素食的。
    p 以后日期都写在最上面。
    f 我有辆电动车。
    f 我的相机是尼康的。
    f 我戴的表是爷爷留下的。
    pf 我每天早上冥想十分钟。
    pf 我们过年都在婆家过。
    pf 我骑车上班。
    pf 我周二晚上打羽毛球。
    f 我本名叫罗建设，网名大山。
    f 我妈管我叫豆豆。
    c 我下个月要去根特做报告。
    c 我的手术排在三月十二号。
    c 我们订了七月底的民宿。
    c 我五月底之前要交毕业论文。
    c 我答应周六帮表姐带孩子。
    d 我决定把面包车卖掉。
    d 我们最后选了城东的学校。
    d 我考虑再三，还是留在合唱团。
    f 我家阳台朝南，种了棵无花果。
    f 我十七岁就从家里搬出来了。
    f 我室友是厨师，叫努尔。
    f 我脚踝受过伤，一直没好利索。
    f 我容易流鼻血。
    f 我两年前得过心梗。
    pf 我每天晚上吃一片他汀。
    f 我祖籍福建。
    f 我外甥女也是我干女儿。
    f 我爸当了一辈子矿工。
    f 我两个儿子住一间屋。
    f 我们在楼顶养蜜蜂。
    f 我家的狗只有三条腿。
    f 我二十五号发工资。
    f 我的税号是27345678。
    f 我把工资的一成存进养老账户。
    f 我的自行车停在面包店后面的院子里。
    f 帐篷在我哥的车库里。
    f 收据全在书房的鞋盒里。
    f 我儿子是2020年7月4号出生的。
    f 我是啤酒厂的工会代表。
    f 我在护校读二年级。
    f 我们公司生产铰链。
    p 我喝咖啡要浓的。
    p 茄子是我唯一不吃的菜。
    p 能走楼梯我绝不坐电梯。
    p 我害怕当众讲话。
    p 我很喜欢观鸟。
    p 敬酒词里别提我的年龄。
    p 从现在起金额都四舍五入到元。
    f 我开一辆老萨博。
    f 我们屋顶装了太阳能板。
    f 我的钢琴是二十年代的。
    pf 每周四我有合唱排练。
    pf 我一般去菜市场买菜。
    pf 我们每年夏天去海边。
    f 我外号叫大熊。
    f 我全名是李佳宁。
    c 我明天跟佩佩吃午饭。
    c 水管工周一八点到十点上门。
    c 我十二号之前得交罚款。
    c 我爸妈周五晚上到。
    d 我还是决定学法律。
    d 我们说定了，孩子叫小鹪。
    f 跟你说一下，我八月份从利兹搬到了约克，这边安静些。
    f 我三十四岁，女，体重六十一公斤。
    f 出车祸以后我就提不了重东西了。
    f 医生去年给我开了降压药，一直在吃。
    f 我爸妈都是老师，我从小家里全是书。
    f 我小姨子要嫁给一个面包师。
    f 我儿子小杰七岁，花生过敏。
    f 我们家有只老花猫，叫胡椒太太。
    f 我退休金每月四千二，另外还有车库的租金。
    f 我的主账户在招行，和老公的联名账户在中行。
    f 我借给我弟两万块钱。
    f 信箱钥匙在带开瓶器的那个钥匙圈上。
    f 我们在第三个花盆底下藏了把备用钥匙。
    f 结婚证在卧室的防火箱里。
    f 我的药在卫生间左边的柜子里。
    f 我妈的忌日是十一月二号。
    f 我2006年起在马尔默开公交车。
    f 我白天做会计，晚上打碟。
    f 我办公室在四楼，挨着电梯。
    p 说真的，歌剧我欣赏不来。
    p 带椰子味的东西我都不碰。
    p 我不太能吃辣的。
    p 我睡觉喜欢屋里凉一点。
    p 能走路我就不开车。
    p 给我发的东西里日期都按年月日写。
    p 订东西之前先问我一声。
    f 我们有辆零九年的柴油面包车，改成了房车。
    f 我客厅里有架三角钢琴。
    pf 我一般周六上午去买菜。
    pf 我们家没有电视。
    pf 我从来不刷短视频。
    pf 我隔天浇一次花。
    f 我爸妈给我起名叫韦小娜，大家都叫我小娜。
    c 我九号下午三点一刻有个听力检查。
    c 我这周末值班，去不了爬山。
    c 我年底之前得换驾照。
    c 我答应给乐乐的生日会烤蛋糕。
    d 我打定主意六十二岁退休。
    d 房子到期我们不续租了。
    d 奥胡斯那份工作我接了。
    f 我住二楼，是个老厂房改的。
    f 我们新家离医院两条街。
    f 我老家在延边，朝鲜族。
    f 我装了心脏起搏器。
    f 我有糖尿病，每天测四次血糖。
    f 我腰不好。
    f 我儿子有哮喘。
    f 我对乳胶过敏。
    f 我2020年换了髋关节。
    f 我老婆是外科医生。
    f 我孙子在珀斯。
    f 我们没有孩子。
    f 我家狗叫探戈。
    f 我的猫十七岁了，快瞎了。
    f 我每个月伙食费两千。
    f 我税后八千。
    f 我们房子还欠九十万。
    f 我把现金放在茶叶罐里。
    f 保险单在我哥那儿。
    f 我家钥匙放在诺拉家。
    f 冬季轮胎存在磨坊街的修车铺。
    f 我结婚纪念日是八月八号。
    f 我是闰年二月二十九生的。
    f 我是结构工程师。
    f 我退休三年了。
    f 我在市规划局上班。
    f 我在夜校学芬兰语。
    p 鸡蛋我喜欢溏心的。
    p 我最爱吃酸汤鱼。
    p 我受不了日光灯。
    p 我喜欢别人叫我老金。
    p 跟我说话简短点。
    p 温度一律用摄氏度。
    p 八点以前别叫醒我。
    f 我的车是一二年的斯柯达。
    f 我们有条小帆船。
    pf 我一般七点左右吃晚饭。
    pf 我坐电车上班。
    pf 我做饭的时候听播客。
    f 叫我小提就好。
    c 我三月三号飞利马。
    c 我妈下周过来。
    c 我四月底前得报税。
    c 我七月十号到二十四号休假。
    c 我们周二有家长会。
    d 我们决定保留老厨房。
    d 我决定不做手术。
    d 我们商量好夜班由我来上。
    f 我家对着货运站，夜里挺吵。
    f 我是在部队大院长大的。
    f 我只有一个肾。
    f 我大儿子住校，一周回来一次。
    f 我是姑姑带大的。
    f 我们养了两只灰狗和一只雪貂。
    f 我每月给孩子存两百五。
    f 我的备用吸入器在车里的手套箱。
    f 我是石匠，主要修教堂。
    p 凉汤我喝不惯。
    p 我可以一整天都听巴赫。
    p 千万别给我订夜班车。
    f 我的小摩托是浅蓝色的。
    c 我十一月六号要去格拉茨主持论坛。
    c 我们周三下午跟建筑师碰面。
    d 我们定下来春天办婚礼。
    f 我们楼没电梯，我天天爬四层。
    f 我上海、苏州两头住。
    f 我两岁被领养的。
    f 我新冠以后闻不到味了。
    f 我血型是A型。
    f 我手有点抖，是老毛病。
    f 我走路要拄拐。
    f 我爷爷当过飞行员。
    f 我爱人是阿勒颇人。
    f 我前夫和我轮流带孩子。
    f 我家现在养鱼。
    f 我有四十万在基金里。
    f 我房租涨到四千五了。
    f 我燃气费一个月两百。
    f 房本压在我床底下。
    f 我给对门大姐留了把备用钥匙。
    f 奶奶的戒指在保险柜的绒布袋里。
    f 我妹婚礼是明年二月十四号。
    f 我是儿童医院的麻醉师。
    f 我七点打卡，三点下班。
    f 我以前抽烟，一五年戒了。
    f 我跑过六个全马。
    p 我跟西兰花合不来。
    p 屋里一乱我就烦。
    p 我对枕头很挑剔。
    p 周日别叫我，让我睡个懒觉。
    p 我要的总结都用列表。
    f 我有一台天文望远镜。
    fd 我们把车换成了两辆电动自行车。
    pf 我早饭前做瑜伽。
    pf 我很少开车。
    f 孩子们叫我老爸。
    c 我四月十二号跑半马。
    c 我周一四点约了正畸医生。
    c 搬家公司二十八号来。
    d 我决定展会不去了。
    d 我要递辞呈了。
    f 我住在郊区一个改造的谷仓里。
    f 我地址换了，现在是采石巷八号。
    f 我对贝类过敏。
    f 我十几岁开始有癫痫。
    f 我妹妹是急救员。
    f 我先生一只耳朵听不见。
    f 我们家鹦鹉叫上将。
    f 我在咖啡店上班，一个月六千。
    f 备用钥匙在十二号的王叔那里。
    f 我的护照在床底下的蓝色箱子里。
    f 我调钢琴调了十年。
    p 我受不了卡拉OK。
    p 我更喜欢坐火车。
    pf 我每周三去攀岩。
    c 我周四十点有个面试。
    d 我们决定给孩子起名朱诺。
    f 我家在七楼，没电梯，能看到江。
    f 我邮编是310012。
    f 我恐高，爬不了梯子。
    f 我甲状腺功能减退。
    f 我妈一九年中过风，现在住养老院。
    f 我有四个女儿。
    f 我妹夫是养蜂的。
    f 我们收养了一只流浪猫，叫橄榄。
    f 我在建行有十五万定期。
    f 行驶证在车里的手套箱。
    f 我在中学教地理。
    p 我讨厌别人打断我。
    p 以后邮件署名写安博士。
    f 我在业余乐团吹巴松。
    c 我二十二号要拔智齿。
    d 我们决定留在杭州。
    f 我在船屋上住了八年。
    f 我右手腕戴着护具。
    f 我胆固醇高，在吃他汀。
    f 我太太怀了二胎。
    f 我外甥在代尔夫特学建筑。
    f 我家兔子叫胡椒，六岁了。
    pf 我每个月修车花一千。
    f 车库钥匙压在蓝花盆下面。
    f 我的毕业证在我爸妈家。
    f 我是社工，在区里上班。
    f 我有一辆货运自行车。
    p 我特别喜欢黑橄榄。
    p 香蕉我一吃就恶心。
    p 别给我推荐太吵的餐厅。
    c 我四月四号坐船去英国。
    d 我们选了代尔夫特办聚会。
    `,
    `
    我家附近有超市吗？
    我属什么生肖？
    我怎么才能睡得好？
    我能不能吃头孢？
    要是我有三个孩子，政策怎么算？
    假设我是房东，怎么写合同？
    如果我住在北京，社保怎么交？
    我室友说他对猫过敏。
    我表哥的同事开宝马。
    小说里的“我”是个孤儿。
    歌里唱：我住在长江头。
    翻译：我喜欢吃苹果。
    帮我润色：我是一名老师，热爱教育。
    楼上邻居养了只大狗。
    我有个客户住在迪拜。
    她妈妈是法官。
    帮我订一张去西安的票。
    给我讲讲量子力学。
    我想知道秘鲁的首都。
    我需要一份简历模板。
    提醒我浇花。
    把闹钟关了。
    我回来了。
    我没看懂第三张图。
    我上传好了。
    我好累啊今天。
    我肚子饿了。
    我又遇到同样的错误了。
    两个链接我都试了。
    我手机只剩百分之四的电。
    我的程序打不开。
    我的火车晚点了。
    我喜欢这个答案。
    我更喜欢第一稿。
    我不这么认为。
    我记错日期了。
    我人都笑没了哈哈哈。
    我要是有个花园就好了。
    希望我妹妹喜欢。
    我可能退休以后会买条船。
    我家的水费是多少？
    我该吃什么药？
    我叫什么名字你知道吗？
    我能借你的车吗？
    谁动了我的奶酪？
    就算我有钱，我也不会买。
    比方说我是老板，你是员工。
    要不是堵车，我早就到了。
    我老师说我很有天赋。
    文章里说我们每天要喝八杯水。
    网上说养猫能减压。
    “我爱你”用法语怎么说？
    给这段话起个标题：我住在乡下，每天喂鸡。
    我邻居在银行上班。
    我前同事开了家咖啡馆。
    我偶像住在洛杉矶。
    李白出生在碎叶城。
    写一篇关于我家乡的作文。
    列一下上海的博物馆。
    我想问一下明天几点开会。
    我要退订。
    我需要中午之前拿到答案。
    我在等你的回复。
    我在开会，一会儿聊。
    我在地铁上。
    我好无聊啊。
    我昨晚没睡好。
    我刚把咖啡洒键盘上了。
    我忘带伞了。
    我点了保存没反应。
    我把文字贴在上面了。
    我有五分钟时间。
    我的下载卡住了。
    我手机没电了。
    我上一个回答写错了。
    我们输了比赛。
    我们快到了。
    我应该早点睡。
    我可以想象。
    我不明白为什么。
    我不在乎。
    我没时间弄这个。
    我发誓这打印机跟我有仇。
    我就是传说中的打工人哈哈。
    饭在桌上。
    文件在文件夹里。
    答案在第二段。
    会议在三楼。
    车站在教堂后面。
    我的护照还有多久过期？
    我能在花园里养蜜蜂吗？
    你知道我住哪吗？
    我耳鸣是不是压力大引起的？
    我女儿上哪个学校好？
    我在想要不要卖车。
    如果我卖了车，要交多少税？
    假设我年薪六十万，有两个孩子。
    你是医生，我是病人，我发烧了。
    扮演我的父亲。
    “我待业在家”英文怎么说？
    邮件开头是：我写信是因为我的订单迟到了。
    我弟老说：我最讨厌星期一。
    她说她儿子是左撇子。
    他家在海南有套房。
    小王换工作了。
    我同事的女儿要结婚了。
    很多人在家办公。
    狗是忠诚的动物。
    翻译成英文：\\n我住在一间小公寓里，养了两只猫。
    帮我写一封给房东的邮件，说漏水的事。
    查一下那家店几点开门。
    做完告诉我一声。
    跟我老婆说我晚点到。
    我需要给侄女买礼物。
    我需要明天之前翻译好。
    我要简短版本。
    我想给我妈订机票。
    我在看利兹的房子。
    我在考虑换工作。
    我在写一个关于护士的章节。
    我在家呢。
    我在做饭，等一下。
    我看到第四十页了。
    我要迟到了。
    我饿死了。
    我刚在洗澡。
    我等了一个小时了。
    我把图片发给你了。
    我得赶紧走了，拜拜。
    我重启了两次。
    我第二行打错字了。
    我找到问题了。
    我懂你意思。
    我猜我儿子会喜欢。
    我打不开附件。
    我找不到钥匙了！
    我不记得了。
    我不要这个。
    我一夜没睡。
    我只是想问点事。
    我总是遇到这个错误。
    我从没说过这话。
    我的错。
    我的键盘又坏了。
    我背疼。
    我的咖啡凉了。
    我们队赢了！
    我们刚落地。
    我们堵车了。
    家里没牛奶了。
    猫刚把我的花打翻了。
    孩子们睡了。
    牛奶在冰箱里。
    代码在第二个文件夹里。
    那本书在我桌上。
    我简直是天才😂
    我对星期一过敏哈哈。
    你看见我的眼镜了吗？
    我的养老金够不够？
    你要是我，会卖吗？
    假装我今年五岁。
    要是我六十岁退休，能拿多少？
    我女儿问鲸鱼睡不睡觉。
    我爷爷常说：宁可穷也不能闲。
    他在家做翻译。
    佩佩有只收养的狗。
    她外号叫大熊。
    我表妹的邻居开萨博。
    润色一下：我是在啤酒厂上班的人。
    解释一下工会代表是干什么的。
    推荐一顶双人帐篷。
    给狗起五个名字。
    请取消我的牙医预约。
    把我的笔记变成列表。
    我需要一些建议。
    我想多了解蜜蜂。
    我就是测试一下。
    我准备好了。
    我正要出门。
    我坐在太阳底下呢。
    我刚才在看你的回答。
    我还有一个问题。
    我这里有张图。
    我改了第二段。
    我从没听说过。
    我听说果阿不错。
    我昨天看了部关于蜜蜂的片子。
    我今天去了趟菜市场。
    我买了牛奶。
    我没赶上公交。
    我把手机掉水槽里了。
    我希望你能帮忙。
    我想跳舞。
    我喜欢你的幽默。
    我更喜欢你的第一个建议。
    我听得见。
    我分不清区别。
    我不会这么做。
    我晚点再试试。
    我的答案是不。
    我的例子在第十二行。
    我闹钟没响。
    我爸妈睡了。
    我们刚才说到果阿。
    我们掉线了。
    我们聊过这个了。
    打印机没纸了。
    孩子们今天快把我逼疯了。
    昨晚的酒真不错。
    轮到我了。
    都在盒子里。
    我就是拖延症世界冠军哈哈。
    膝盖手术后我要休息多久？
    我爸妈能来医院看我吗？
    花猫要吃什么特殊的猫粮？
    我要是三十四岁，剂量是多少？
    假设我退休金四千二。
    我要是有架三角钢琴该多好！
    那个老太太说她把钥匙藏在花盆下。
    我室友说我该把车卖了。
    这一幕里我是个讨厌咖啡的侦探。
    帮我改简历：我2006年开始开公交车，我喜欢和人打交道。
    总结下面的邮件。\\n我是朵拉，我住在根特，卖面包的。
    公交司机态度很差。
    我弟的朋友有辆房车。
    楼上那家养了鹦鹉。
    我的客户大多是丹麦人。
    查一下市政厅的开放时间。
    列一份做千层面的购物清单。
    我急需一个开锁师傅的电话。
    我想看另一个选项。
    我在跟银行打电话。
    我上传有问题。
    我相信你是对的。
    我第一部分做完了。
    我还在等包裹。
    我下午在我姐家。
    我刚到家。
    我手机上也有同样的问题。
    我总觉得不对。
    我喝了碗汤。
    我在文件里给你留了言。
    我没跟上，抱歉。
    我把文件挪到另一个文件夹了。
    我第二步报错了。
    我懂了。
    我收回刚才的话。
    我老是被登出。
    我跑了脚本，没反应。
    我文章看了两遍。
    我现在更喜欢这版。
    我一直以为鲸鱼是鱼。
    我登不上去。
    我看不到图表。
    我明天可以做。
    我想想看。
    我一会儿把文件发你。
    我上传失败了。
    我肚子疼。
    我眼睛好累。
    我的草稿有九百字。
    我的建议是再等等。
    我姐在门口，等下。
    我孩子现在在学校。
    我们的订单迟了。
    我们昨晚玩得很开心。
    我们需要更多椅子。
    我们没咖啡了。
    狗又在叫了。
    猫趴在我键盘上。
    宝宝哭了，等一下。
    车打不着火。
    家里今天乱七八糟的。
    表格在第二页。
    这个包裹是给我邻居的。
    我可真是个天才呢，呵呵。
    正常血糖是多少？
    金丝雀怎么养？
    我护照去秘鲁还有效吗？
    我妈的航班几点到？
    我这收入能贷款吗？
    给我一个酸汤鱼的做法。
    查一下去车站的电车。
    八点叫我起床。
    快一点。
    我要是装了起搏器，能坐飞机吗？
    假如我月薪五万，要交多少税？
    她装了起搏器。
    邻居养金丝雀。
    我朋友诺拉有办公室的钥匙。
    市长住在我们这条街。
    他说我的车太吵。
    菜谱里说：一定要用新鲜的。
    缩短这段：我出生在延边，2009年搬来的。
    我好冷。
    我在电车上呢。
    我到家了。
    我不饿。
    我吃着饭呢。
    我有点晕，没看懂。
    就是我问的。
    我早上吃了鸡蛋。
    我看到你的回答了。
    我出去走了走。
    我今天在电车里坐了一小时。
    我早上跟银行谈过了。
    我昨天买了台缝纫机。
    我找到钥匙了。
    我试了那个菜谱，很好吃。
    我要上厕所。
    我今天事情很多。
    我做过了。
    我从来没见过这个提示。
    我喜欢第二张图。
    我要退款。
    我需要休息一下。
    我想知道价格。
    我一小时后回来。
    我试试。
    我去睡了。
    我去查一下。
    我今天网很慢。
    我航班取消了。
    我头疼。
    我猜是周二。
    我鸡蛋糊了。
    我们在车站。
    我们昨晚吃了酸汤鱼。
    我们跟银行谈过。
    电车晚点了。
    图在左边。
    我今天就是个土豆哈哈。
    灰狗和雪貂能一起养吗？
    我去格拉茨要签证吗？
    要是我只有一个肾，还能喝酒吗？
    我叔叔老说：我谁也不欠。
    我一个同事养雪貂。
    他们女儿吹双簧管。
    帮我找个车站附近的酒店。
    我要比较两个方案。
    我在邮局排队呢。
    我最后一行没看懂。
    我面包掉地上了。
    我收到确认了，谢谢。
    我鼠标不动了。
    我们没牛奶了。
    我一会儿可能睡个午觉。
    我可有钱了呢，哈哈。
    苏州离上海远吗？
    鱼和仓鼠能一起养吗？
    我要不要告诉房东？
    谁说我抽烟的？
    要是我们把车换了，能换什么？
    假设我住苏州，交多少税？
    我爷爷的邻居常说走路要拄拐。
    文章说我可以抵税。
    我最好的朋友是麻醉师。
    我们公司有人抽烟。
    把“我七点打卡”改成过去时。
    检查一下语法：我有预约周一。
    替我写封信给房东投诉电梯。
    提醒我周五买鱼。
    告诉她我晚到。
    让我再看看清单。
    我要改时间。
    我赶时间。
    我在楼下。
    我在看电影。
    我跟客户在一起，晚点聊。
    我不太信。
    我逗你玩的。
    我这里没信号。
    我文件开着呢。
    我受够了。
    我链接丢了。
    我把西兰花烧糊了。
    我昨天看到你的留言了。
    我就说嘛。
    我能等。
    我没有那个文件。
    我不用那个按钮。
    我连接断了。
    我手好冷。
    我的出租车到了。
    我最后一点是关于成本的。
    我家孩子在吵，不好意思。
    我们客人刚走。
    我们有十分钟。
    我们得走了。
    停电一小时了。
    电梯又坏了。
    鱼在烤箱里。
    列表在图下面。
    在我包里。
    椎间盘突出多久能好？
    三条腿的猫能爬楼梯吗？
    要是我一个月六千，能贷款吗？
    假装我是咖啡师，你来点单。
    我邻居王叔养了只鹦鹉。
    作者说她上夜班。
    翻译：我有一个女儿。
    订一张两人的桌子。
    给我妹的婚礼写段祝酒词。
    我要去郊区的路线。
    我在登机口等着。
    我刚挂了电话。
    我打不开网页。
    我屏幕死机了。
    我们比赛输了。
    没准我会养只鹦鹉。
    杭州天气怎么样？
    怎么治恐高？
    要是我住养老院，谁出钱？
    假设我有四个女儿。
    他跟我说他的蜜蜂死了。
    书里那个父亲失踪了。
    改写：我是教地理老师。
    房东的猫生了小猫。
    我认识一个人会吹巴松。
    帮我计划一个周末去上海。
    我需要居住证的表格。
    我正要吃饭。
    我登录不了。
    我早上跑步去了江边。
    我牙疼。
    我绝对是世界第一厨神哈哈。
    兔子要养两只吗？
    社工工资多少？
    要是我有辆摩托，要考驾照吗？
    假设我们生了二胎。
    我同事小皮戴护腕。
    厨师跟我说厨房关了。
    翻译这句：我太太怀了二胎。
    河对面那家有辆摩托。
    给渡轮设个提醒。
    对比一下两座城市。
    我要一把新的车锁。
    我在渡轮上。
    我打开附件了，是空的。
    我看不出区别。
    我的包裹丢了。
    我就是个有感情的洗碗机哈哈。
    每天早上九点提醒我喝水。
    请每周五下午三点提醒我写周报。
    下班前半小时提醒我收衣服。
`,
  ),
} as const;
