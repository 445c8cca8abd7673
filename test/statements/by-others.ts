import { labelled } from "./labelled.ts";

/**
 * Messages as they are typed in haste, written without knowledge of the rules; each batch was measured before a rule was written for it. Of what states
 * something any kind is right.
 */
export const BY_OTHERS = labelled(
  `
    pdcf whats a good way to store bread? theres only two of us, me and my boyfriend
    pdcf my grandma turns 90 on the 12th of april, ideas for a gift?
    pdcf i'm training for my first half marathon in october
    pdcf can you plan meals for the week, i'm lactose intolerant and my husband hates mushrooms
    pdcf Our boiler was serviced in January by a guy called Pete
    pdcf i've got a bad knee so no running please
    pdcf i only read books on my kindle these days
    pdcf just moved into a new place in Gothenburg, need to set up internet
    pdcf my car's a manual so i can't just let anyone drive it
    pdcf we're getting married on the 6th of june next year
    pdcf i take the 7:42 train every morning
    pdcf mum has dementia and lives with us
    pdcf I'm on the night shift until March
    pdcf my landlord's name is Mr Okafor and he never answers
    pdcf i teach year 4 and need a worksheet about volcanoes
    pdcf our wifi router is in the cupboard under the stairs
    pdcf the cat's vet is on Elm Road, Dr. Patel
    pdcf I don't do video calls before 10
    pdcf i never learned to swim
    pdcf my shoe size is 43
    pdcf been vegetarian for 12 years, still miss bacon
    pdcf my daughter Mia starts school in september
    pdcf my brother owes me 300 quid
    pdcf i get carsick so i always sit in the front
    pdcf pretty sure i told you but i'm colourblind
    pdcf I have a standing desk and two monitors
    pdcf i grew up on a farm near Galway
    pdcf i speak spanish but i can't write it well
    pdcf my ex lives in Berlin with the kids
    pdcf we keep chickens, 6 of them
    pdcf i paid off my student loan last year
    pdcf my team lead is called Farah
    pdcf the bins go out on tuesday nights
    pdcf my mother tongue is tamil
    pdcf i dont have a driving licence
    pdcf call me Sam, nobody calls me Samantha
    pdcf i wear glasses, -3.5 on both sides
    pdcf i left my job in may to freelance
    pdcf we have a piano that nobody plays
    pdcf my pin cushion collection has 80 pieces lol
    pdcf I can't have caffeine after 3pm or i wont sleep
    pdcf my son is starting kindergarten next week and hes terrified of dogs
    pdcf i'm terrible with names so give me mnemonics
    pdcf please write to me in german from now on
    pdcf short answers please, i'm usually on my phone
    pdcf my budget for the trip is around 1500 euros
    pdcf i have a dentist appointment on thursday at 4
    pdcf i'm flying to lagos on the 3rd of december
    pdcf remind me what to pack? i'm going camping with my nephews in july
    pdcf my partner is coeliac
    pdcf the spare car key is in the blue teapot
    pdcf i signed up for a pottery class on wednesdays
    pdcf my girlfriend's birthday is feb 20th
    pdcf i'd like to learn the ukulele this year
    pdcf i want to lose 5 kilos before the wedding
    pdcf i promised my dad i'd help him paint the fence on saturday
    pdcf we decided to homeschool the kids
    pdcf ended up choosing the blue one over the green one for the kitchen
    pdcf i switched from iphone to android last month
    pdcf we've decided against the extension
    pdcf gonna sell the boat in spring
    pdcf i do crossfit three times a week
    pdcf i'm a light sleeper
    pdcf i'm an only child
    pdcf i lost my hearing in the right ear when i was six
    pdcf both my parents are teachers
    pdcf i have two left feet so dance classes are hard for me
    pdcf spicy food gives me heartburn
    pdcf i work from home on mondays and fridays
    pdcf my office is on the 9th floor, no AC
    pdcf my commute is about an hour each way
    pdcf our neighbours upstairs are super loud
    pdcf i volunteer at the food bank on sundays
    pdcf my phone is a pixel 7
    pdcf i use vim and hate vscode
    pdcf I run Arch on my laptop
    pdcf im left handed, any scissors you recommend?
    pdcf my hair is really curly and dry
    pdcf my favourite colour is teal
    pdcf we're saving for a house deposit
    pdcf i was born in 1987
    pdcf my grandfather was a watchmaker
    pdcf i'm the treasurer of our allotment club
    pdcf i've been sober since 2021
    pdcf i got my citizenship two years ago
    pdcf i have an exam on the 14th
    pdcf our anniversary dinner is at 8 on friday at Luigi's
    pdcf my therapist says i should journal more
    pdcf i donate blood every few months
    pdcf i cant do mondays, thats when i have the kids
    pdcf the kids are with me every other weekend
    pdcf i prefer window seats but my wife needs the aisle
    pdcf i always tip 20 percent
    pdcf my mum's maiden name is Kowalczyk
    pdcf i never check my voicemail
    pdcf i'm more of a tea person
    pdcf anything but country music
    pdcf please dont use emojis with me
    pdcf my blood pressure is a bit high so less salt
    pdcf i have to take my pills with food
    pdcf hi! new here. im a midwife and i work odd hours
    pdcf my sister in law is vegan so bear that in mind for the menu
    pdcf we've been renting since the flood in 2022
    pdcf i can only do calls during my lunch break, 12 to 1
    pdcf our dog Biscuit had surgery on tuesday
    pdcf i never drink alcohol
    pdcf i've three kids, 4, 7 and 11
    pdcf the password manager i use is bitwarden
    pdcf my nan turned 88 last week
    pdcf i usually cook for five people
    pdcf I'm on a tight budget this month
    pdcf our wedding is on 14 september in Ghent
    pdcf my passport is in my mother's safe
    pdcf i finally passed my driving test
    pdcf i'm scared of flying
    pdcf i've had two miscarriages so please be careful with baby stuff
    pdcf we don't have a car
    pdcf i ride a honda cb500
    pdcf I get migraines from red wine
    pdcf my boss is called Ingrid and she hates surprises
    pdcf i just got a job at the post office, i start on the 1st
    pdcf please keep it under 100 words, always
    pdcf i hate being called dear
    pdcf my neighbour Tom has our spare key
    pdcf i have to be in bed by ten
    pdcf my eldest plays the cello
    pdcf i go to mass on sundays
    pdcf my knee surgery is scheduled for the 22nd
    pdcf our budget for the kitchen is 8k
    pdcf i learned french at school but forgot most of it
    pdcf i sleep with earplugs
    pdcf i'm vaccinated against yellow fever
    pdcf we named our daughter Ottilie
    pdcf the garage code changed but i keep it in my notes app
    pdcf my grandparents came from Smyrna
    pdcf i eat fish but no meat
    pdcf don't suggest anything with nuts, i'm allergic
    pdcf i play in goal for a sunday league team
    pdcf my flatmate Jo works nights
    pdcf i'm halfway through a phd in geology
    pdcf we sold the house in may
    pdcf my van is a 2009 transit
    pdcf i'm the oldest of six
    pdcf my dad was a miner
    pdcf i get seasick
    pdcf i have a cottage in the Harz
    pdcf i collect old maps
    pdcf my favourite band is Low
    pdcf i've decided to go back to school
    pdcf i'm going to be a dad in january
    pdcf we're off to Madeira on the 20th for a week
    pdcf i said yes to the job in Leeds
    pdcf i'm giving up sugar for lent
    pdcf i have two monitors, a mac and a linux box
    pdcf i write with my left hand
    pdcf my watch runs on wear os
    pdcf i need subtitles, i'm hard of hearing
    pdcf my rent goes up to 1,150 in march
    pdcf i share a flat with two nurses
    pdcf we do the shopping on saturdays
    pdcf my mum's allergic to cats
    pdcf i was a goalkeeper in my youth
    pdcf im from a tiny village in the alps
    pdcf i take the bus cause i cant drive
    pdcf my glasses are at the optician until friday
    pdcf i moved my pension to a different provider last year
    pdcf i like my steak rare
    pdcf i don't trust online banking
    pdcf i always forget names
    pdcf i work four days a week, fridays off
    pdcf i coach the under 10s
    pdcf our baby is due at easter
    pdcf my shift starts at 6
    pdcf i use a wheelchair
    pdcf my doctor told me to cut down on salt
    pdcf i run a small bakery with my cousin
    pdcf i've been learning japanese for two years now
    pdcf my partner and i split up in the summer
    pdcf i can't stand coriander
    pdcf i've got a yearly pass for the zoo
    pdcf my name's spelled with a K
    pdcf my kids call me papa
    pdcf i keep my savings at the credit union
    pdcf i'm allergic to latex
    pdcf we have a holiday home near Split
    pdcf i'd rather you were blunt with me
    pdcf i want all dates as day month year
    pdcf my brother's name is Aurelio
    pdcf i grow tomatoes on the balcony
    pdcf my balcony faces north
    pdcf i hardly ever watch tv
    pdcf i did my military service in the navy
    pdcf my husband's a chef so he cooks
    pdcf my laptop has 16 gigs of ram
    pdcf i get up at half five
    pdcf she's my second wife
    pdcf my phone number ends in 42
    pdcf i have an appointment with the notary on monday
    pdcf we need a place with a lift, my mum can't do stairs
    pdcf i support Sporting
    pdcf quick question, i'm 8 months along, is sushi off limits?
    pdcf we homeschool our two boys
    pdcf i drive for uber at weekends
    pdcf im recovering from a broken wrist so i type slowly
    pdcf my aunt left me her violin
    pdcf my gym closes at nine so i go before work
    pdcf i don't eat breakfast
    pdcf my skin burns really easily
    pdcf i've been married to Kofi for eleven years
    pdcf we're planning to move to Tasmania next summer
    pdcf i'm not a morning person
    pdcf the dog is called Pepper
    pdcf my dad's side of the family is Armenian
    pdcf i'm saving up for a camper van
    pdcf my laptop died so i'm on a chromebook now
    pdcf i share custody of my son, he's with me wed to sat
    pdcf no seafood for me thanks, it makes me swell up
    pdcf i'm on antidepressants
    pdcf i've worn hearing aids since 2015
    pdcf i can't sit for long because of my back
    pdcf i do all my banking on my phone
    pdcf my mortgage is fixed until 2028
    pdcf i commute by ferry
    pdcf my birthday's the 29th of february
    pdcf my sister just had a baby girl called Ines
    pdcf i was adopted
    pdcf i write a newsletter about cheese
    pdcf i used to smoke but i quit in 2018
    pdcf i've got tickets for the opera on friday
    pdcf i have a meeting with my accountant next wednesday at 2
    pdcf please always add the metric units
    pdcf don't call me mate
    pdcf i like my coffee black, no sugar
    pdcf i'd love to visit Iceland one day
    pdcf my stepson is on the spectrum
    pdcf i'm allergic to bee stings, carry an epipen
    pdcf i'm a widower
    pdcf our house number is 14
    pdcf we have an electric car, a renault zoe
    pdcf my hands shake a bit
    pdcf i never drive at night
    pdcf i play the lottery every saturday
    pdcf i got divorced in 2020
    pdcf i'm fluent in dutch and i get by in italian
    pdcf my son goes to a steiner school
    pdcf i keep kosher
    pdcf my favourite food is my mum's lasagne
    pdcf we rent out the basement to a student
    pdcf i take vitamin d in winter
    pdcf i'm an early riser
    pdcf my blood group is AB negative
    pdcf my student number is 20231187
    pdcf i work at the airport, in baggage
    pdcf i gave my notice yesterday
    pdcf i'm starting a diet on monday
    pdcf we agreed to split the bills 60/40
    pdcf i picked law over medicine
    pdcf i've made up my mind, i'm keeping the cat
    pdcf we're not having a third child
    pdcf i've ordered a new sofa, it comes on the 9th
    pdcf my rabbit only eats hay
    pdcf i find crowds overwhelming
    pdcf i can't do stairs
    pdcf i do pilates with a group on thursdays
    pdcf my cousin is staying with us till easter
    pdcf my mother-in-law can't know about the party
    pdcf my house is always cold in winter
    pdcf my parents are coming on sunday for lunch
    pdcf i was in the army for nine years
    pdcf i have a degree in chemistry
    pdcf my first car was a mini
    pdcf i grew up bilingual
    pdcf my team uses scrum
    pdcf we use postgres and go at work
    pdcf i'm the only developer here
    pdcf my editor is emacs
    pdcf my company has about 40 people
    pdcf i manage a team of six
    pdcf i don't speak any german
    pdcf we live 20 minutes from the nearest shop
    pdcf our heating is oil
    pdcf i own a small vineyard
    pdcf i have a twin brother
    pdcf i'm six foot four
    pdcf i wear a size 10 dress
    pdcf my prescription runs out next month
    pdcf i owe my sister 200 euros
    pdcf i prefer to be called by my last name
    pdcf i work from a co-working space in Malmö
    pdcf i am writing a novel set in Lisbon
    pdcf i want to be able to run 10k by may
    pdcf i've signed the lease on the flat
    pdcf we adopted a greyhound last winter
    pdcf my brother has type 1 diabetes
    pdcf i've got gout
    pdcf i have no siblings
    pdcf i live alone
    pdcf i'm bad with numbers
    pdcf i hate phone calls
    pdcf i volunteer as a firefighter
    pdcf im allergic to penicillin so keep that in mind
    pdcf my daughter started year 4 at st marks this week can you give me ideas for packed lunches
    pdcf we moved to leeds in march btw
    pdcf ive been a nurse on the same ward for 22 years
    pdcf please dont use bullet points when you answer me, i cant stand them
    pdcf got a new dog, a beagle called biscuit
    pdcf my mums birthday is the 14th of november
    pdcf I've decided to leave the insurance job and train as an electrician
    pdcf hubby is type 2 diabetic, what desserts can i make him
    pdcf our wedding is on the 6th of june next year in porto
    pdcf i drive a 2014 skoda octavia diesel, whats the right oil for it
    pdcf my son Kwame is autistic and hates loud places
    pdcf i work nights tuesday to friday at the parcel depot
    pdcf been vegetarian since i was 15
    pdcf rent went up to 1450 a month from january
    pdcf my sister lives in melbourne with her two kids
    pdcf promised dad i'd drive him to his eye appointment on the 3rd of march
    pdcf always give me temperatures in celsius please
    pdcf i had my gallbladder out last summer so fatty food is a problem for me
    pdcf we're expecting our first baby in october!!
    pdcf my husband passed away two years ago and i live on my own now
    pdcf i teach maths at a secondary school in lagos
    pdcf stopped smoking on new years day and havent touched one since
    pdcf the wife is coeliac so nothing with wheat in it, what can i do for sunday lunch
    pdcf my boss is called Henrietta and she runs the whole northern region
    pdcf I prefer short answers, two or three sentences at most
    pdcf we bought the flat in the end, completion is on 28 august
    pdcf i go swimming every monday and thursday before work
    pdcf my grandson plays goalkeeper for the under 12s
    pdcf ive got a bad left knee from an old rugby injury
    pdcf our cat Mitsy is 17 and nearly blind
    pdcf i was born in Cork but grew up in boston
    pdcf my brother in law owes me 3000 euros and he's paying it back at 200 a month
    pdcf call me Tess, nobody calls me theresa
    pdcf im saving 400 a month for a deposit on a house
    pdcf my boyfriend got a job in Rotterdam and im joining him there in the spring
    pdcf we've agreed to send the twins to the french school from september
    pdcf i take blood pressure tablets every morning, ramipril 5mg
    pdcf my mother in law moved in with us after her stroke
    pdcf I dont drink alcohol, havent for eleven years
    pdcf i run a small bakery in nairobi with my cousin
    pdcf when you write emails for me sign them off with kind regards and my full name, Oluwaseun Adeyemi
    pdcf my eldest is off to durham to study law this autumn, what should she pack
    pdcf i hate coriander, leave it out of any recipe you give me
    pdcf the boiler was replaced in february and its under warranty for ten years
    pdcf ive signed up for the berlin marathon in september, can u make me a training plan
    pdcf my ex has the kids every other weekend
    pdcf i'm 67 and retired from the post office last year
    pdcf we dont eat pork at home
    pdcf my dentist is dr Papadakis on mill street
    pdcf i failed my driving test twice, third go is booked for 19 april
    pdcf our son in law is in the navy, based at plymouth
    pdcf im colourblind so dont rely on red and green in the charts you make me
    pdcf my wife's name is Ayumi and our daughter is called Hana
    pdcf i've been made team leader at the call centre starting 1st of july
    pdcf we have chickens, six of them, and a rooster
    pdcf i never fly, phobia, so always plan my trips by train or boat
    pdcf dad has alzheimers and my brother and i take turns looking after him
    pdcf my student loan is with the same lender as my overdraft, i owe 18k altogether
    pdcf i told the committee i'll run the cake stall at the summer fete on 12 july
    pdcf switched to a standing desk job at the library after 9 years in the warehouse
    pdcf my niece is allergic to peanuts, badly, she carries an epipen
    pdcf im a widower with three grown up daughters
    pdcf we're selling the caravan, decided last night, how do i write the ad
    pdcf i get migraines from red wine and aged cheese
    pdcf my parents are both deaf so i grew up signing
    pdcf I want you to reply in british spelling from now on
    pdcf i work as a plumber, self employed, in and around galway
    pdcf my daughter in law had a little boy on tuesday, they named him Mateo
    pdcf ive got a garden that faces north and heavy clay soil, what grows there
    pdcf our anniversary is on the 9th of may, twenty five years this time
    pdcf i'm doing my masters in public health part time at the university of nairobi
    pdcf my son moved back home after his divorce
    pdcf we rent out the basement to a student called Piotr
    pdcf i cant eat shellfish, it swells my throat up
    pdcf the car insurance is due for renewal on 2 december every year
    pdcf i've promised my daughter a puppy when she finishes primary school in june
    pdcf my blood type is o negative and i give blood every four months
    pdcf been married to Rajesh for thirty one years
    pdcf i own two houses, the one we live in and my late aunts place in Goa
    pdcf im never free on wednesday evenings because of choir
    pdcf my youngest has asthma and uses a blue inhaler
    pdcf got laid off from the steel plant after 16 years, looking for work in logistics now
    pdcf i live on the fourth floor with no lift so deliveries are always a pain
    pdcf we decided no presents between the adults this christmas and every one after
    pdcf my flight to Manila is on 20 december and i'm back on 11 january
    pdcf dont call me sir, im a woman
    pdcf my granddad was a miner in wales and left me his lamp, how do i clean brass
    pdcf im lactose intolerant but hard cheese is ok
    pdcf my best friend Zanele and i are opening a hair salon in durban in august
    pdcf i have an underactive thyroid
    pdcf we homeschool our four kids
    pdcf my partner works offshore, three weeks on three weeks off
    pdcf i always travel with just hand luggage
    pdcf I have a phobia of needles so i need warning before any blood test
    pdcf my salary is 52000 before tax, how much should i put in the pension
    pdcf ive got a nut brown mare called Hazel stabled at my uncles farm
    pdcf my eyes are minus 6 and i wear contacts
    pdcf we put our names down for an allotment and got plot 31
    pdcf i'm the youngest of seven, all the others still live in Kerry
    pdcf my daughter broke up with Liam and has the flat to herself now
    pdcf i've decided im not going back to university
    pdcf mum's hip operation is set for the 22nd of may at the royal infirmary
    pdcf i speak to my therapist every second friday at 4
    pdcf our landlord is mr Okafor and he wants the rent by the fifth
    pdcf i drive a school bus in ohio
    pdcf give me the answer first and the explanation after, thats how i like it
    pdcf my husband snores so badly we've slept in separate rooms for years
    pdcf i paid off the mortgage in november!! what do people do with the spare money
    pdcf we're having the kitchen redone in february, the builder is a man called Sandro
    pdcf my son got into the fire brigade, starts training on 4 september
    pdcf i am a pharmacist by training but i teach chemistry now
    pdcf ive been sober since the 8th of august 2019
    pdcf our house number is 42 not 24, the postman always mixes it up
    pdcf my aunt Beatriz raised me, i call her mum
    pdcf i'm scared of dogs since one bit me as a child
    pdcf we go to the same cottage in Donegal each august
    pdcf i keep kosher, so what can i order in a thai place
    pdcf my knees are shot so i swapped running for cycling two years ago
    pdcf my cousin Farida is a midwife and lives two doors down from us
    pdcf just so you know im left handed, so flip any knitting instructions
    pdcf fyi the whole family speaks tagalog at home
    pdcf two boys, nine and six, and a girl on the way
    pdcf for context im a sheep farmer in otago, about 800 ewes
    pdcf turns out i've got high cholesterol, doc put me on statins yesterday
    pdcf hearing aid in both ears since i was four
    pdcf from next month ill be based in singapore, so use that time zone
    pdcf never put emojis in anything you write for me
    pdcf Grandma Ruth turns 90 on the 2nd of february, any gift ideas
    pdcf took over the family hardware shop when dad retired
    pdcf she said yes!! me and Imani are engaged
    pdcf My visa runs out on 15 october
    pdcf play the cello in an amateur orchestra, rehearsals are every sunday afternoon
    pdcf after a lot of thought, not going for the promotion, i'd rather keep my fridays with the kids
    pdcf all our computers at home run linux mint
    pdcf lost my right leg below the knee in the army, whats the best way to get round petra
    pdcf Allergic to bees, really allergic
    pdcf the band i'm in is called the rusty hinges, i do bass
    pdcf Pronouns are they them please
    pdcf keeping bees since 2016, five hives at the end of the orchard
    pdcf adopted two sisters from foster care in may, Lacey and Jade
    pdcf ramadan is a fasting month for me so dont suggest lunches then
    pdcf the old volvo finally died so its a second hand toyota yaris now
    pdcf stepdaughter Freya stays with us all summer holidays
    pdcf have crohns disease, been in remission since last spring
    pdcf spoke to the bank, the loan is approved, 25 thousand over six years
    pdcf My thesis is about mangrove restoration and it's due on 30 june
    pdcf as a long distance lorry driver im away from home five nights a week
    pdcf Keep it metric with me, no feet or inches
    pdcf lets use pounds sterling in every budget we do, thats what im paid in
    pdcf the twins were born at 29 weeks and Noah still needs physio
    pdcf gave up sugar in tea for good
    pdcf volunteer at the lifeboat station in Whitby, have done for ages
    pdcf Nan left me her piano, an upright, it's in the hallway
    pdcf you can call me Bo, short for Boitumelo
    pdcf my pronunciation is see-oh-ban, spelled Siobhan
    pdcf every saturday morning i coach girls hockey
    pdcf got my citizenship in april after 12 years in canada!
    pdcf the baby is called Ottilie and she sleeps through already
    pdcf we're mormon so no coffee or tea in this house
    pdcf sold the motorbike after the crash, never riding again
    pdcf big news, signed the contract with the publisher, the novel comes out in september
    pdcf Mamá has moved to the care home in Valparaíso and i visit her on thursdays
    pdcf honestly i cant stand being in the sun, vampire skin, had a melanoma removed at 34
    pdcf just got diagnosed with adhd at 41, how do people organise themselves
    pdcf no jokes in your replies please, i find them annoying
    pdcf our nephew Arjun will be living with us while he studies in birmingham
    pdcf ran a fishing boat out of Kochi for thirty years, sold it last winter
    pdcf Im the treasurer of the residents association
    pdcf both of my parents were born in Vietnam
    pdcf epilepsy since childhood, so no flashing lights and i dont drive
    pdcf work from home on mondays and fridays, office in between
    pdcf paid the deposit for the Kilimanjaro trek, we set off on 8 january
    pdcf do all my banking with the credit union in town
    pdcf am the only one of my siblings who didnt go to college
    pdcf the apartment has no oven, only two hot plates and a microwave, what can i cook
    pdcf they made me head of physics as of this term
    pdcf i'll be bringing the dessert to thanksgiving at aunt Carols, said so on sunday
    pdcf Size 46 shoe, wide fit, so finding boots is a nightmare
    pdcf when i ask for code, python only, thats all i know
    pdcf My ladyfriend Dolores and i dance tango every week
    pdcf I was a prison officer once, now i make furniture
    pdcf our daughter came out to us last year and her partner is called Priya
    pdcf hired a nanny, Ewelina, she comes weekdays from 8 till 2
    pdcf have a peanut sized aneurysm they check each year in november
    pdcf vegan household here, including the dog
    pdcf Uncle Tomasz is the executor of my will
    pdcf been learning welsh for three years because the kids go to a welsh school
    pdcf i'd like you to correct my english whenever i make a mistake, in every chat
    pdcf the roof got done in slate in 2021 and cost us nine grand
    pdcf ive vowed to phone my brother once a week now that we're talking again
    pdcf support wigan athletic, season ticket in the east stand
    pdcf the divorce became final on 17 march
    pdcf Pregnant with number three, due just before easter
    pdcf can you find me quiet hobbies, i share a room with my gran and she sleeps early
    pdcf my pension comes to 1120 a month and thats all i have coming in
    pdcf i've got a stammer so phone calls are hard for me
    pdcf theres a pond at the back of our place with koi in it, some as long as my arm
    pdcf switching to a four day week from the first of may
    pdcf night owl, always have been, so no early morning plans for me
    pdcf her name is spelled Catelyn, my little one, with a C and a y
    pdcf being a paramedic in Cape Town i see a lot
    pdcf Luis is my half brother really, same dad, lives in Dubai and sells boats
    pdcf please keep the language plain when you explain stuff to me, i left school at 14
    pdcf we named the new kitten Pickle
    pdcf gonna be best man for Dmitri on 23 august in tbilisi
    pdcf collect stamps from the old colonies, over 4000 of them now
    pdcf i got shingles last autumn and the nerve pain never left
    pdcf enrolled in evening classes for bookkeeping, two years, tuesdays
    pdcf no kids, by choice, and that wont change
    pdcf the restaurant we own closes on mondays
    pdcf Me and the missus have decided to retire to Crete in 2027
    pdcf tore my achilles playing squash in june and the surgeon says no court sports any more
    pdcf The neighbour and i share a driveway, it's in the deeds
    pdcf i'm sikh and i wear a turban, which bike helmet would fit
    pdcf haven't eaten meat since my heart attack
    pdcf third year apprentice welder here
    pdcf my iphone is an old SE and im keeping it
    pdcf put the kids names down for the school on hill road and they both got in
    pdcf the farmhouse has its own well, no mains water
    pdcf our Gareth has joined the police in Cardiff
    pdcf lupus runs in the family, mum has it and so do i
    pdcf Always show prices with tax included when you do sums for me
    pdcf started a side business selling candles on etsy, its called Wick and Wander
    pdcf i swore to the choir director i'd sing the solo on palm sunday
    pdcf Four grandchildren in Brisbane, i skype them on sundays
    pdcf my hair is type 4c and i wear it natural, what products would you use
    pdcf on the waiting list for a kidney since last july
    pdcf we've put the wedding off until may 2026
    pdcf the tenancy ends on 31 july and we won't renew
    pdcf as from today i'm putting 10 percent of my wages into savings, each month
    pdcf i sit on the parish council and chair the planning meetings
    pdcf Abuela only speaks quechua so i translate for her at the doctors
    pdcf bought a narrowboat and live on it, moored near Banbury
    pdcf I'm claustrophobic, can't do lifts, which hotels have low floors
    pdcf the only day that works for me is tuesday, i care for my disabled son the rest of the week
    pdcf Was raised catholic but im a buddhist now
    pdcf my godson Emeka gets his degree on 12 december and i'm going to Enugu for it
    pdcf cant have grapefruit with the tablets i'm on for life
    pdcf hate being asked questions back, just give me your best answer each time
    pdcf my daughter's called Ines and she turns 7 on the 3rd of march
    pdcf been married to Tom since 2009 btw
    pdcf my brother lives in Lagos and works as a civil engineer for the port authority
    pdcf mum has type 2 diabetes so any recipe you give me for her has to be low sugar
    pdcf we've got twins, Arlo and Bea, born last october
    pdcf My grandfather passed away in January, he was the one who taught me carpentry
    pdcf wifes name is Priyanka not Priya pls remember that
    pdcf I've three sisters, all older than me, the eldest is a nun in Cork
    pdcf my son just got diagnosed with dyslexia, what kind of books should we get him
    pdcf dad retired last year after 40 years driving lorries, he lives with us now in the annexe
    pdcf allergic to penicillin
    pdcf I'm coeliac so no gluten for me ever
    pdcf had my left knee replaced in 2021 and cant run anymore
    pdcf been taking levothyroxine every morning since my twenties
    pdcf can you suggest a lunch, i don't eat pork for religious reasons
    pdcf im 24 weeks pregnant, due on the 9th of august
    pdcf My husband has hearing loss in his right ear so we always sit on his left
    pdcf got asthma, use a blue inhaler and a brown one
    pdcf i quit smoking on new years day 2023 and havent touched one since
    pdcf I'm colour blind, red and green look the same to me, so dont use them in charts
    pdcf i work nights at a hospital in leeds, im a porter
    pdcf just started as a junior accountant at Brandt and Sohn in Hamburg
    pdcf been a welder for 22 years
    pdcf my boss is called Mrs Okafor, she runs the whole logistics department
    pdcf we run a small bakery in Porto, me and my cousin
    pdcf I teach year 9 chemistry, need a quiz on acids
    pdcf got laid off from the cannery in april, been looking for work since
    pdcf my shifts are always tuesday to saturday, 6 till 2
    pdcf i'm self employed, i do dog grooming out of a van
    pdcf finished my phd in marine biology in 2018 at the university of cape town
    pdcf we moved to Tampere in september
    pdcf i live on the fourth floor and theres no lift in the building
    pdcf born in Manila, raised in Dubai, been in Toronto since i was 19
    pdcf our house was built in 1890 and has no central heating just a wood stove
    pdcf I'm from Medellín originally but my passport's Spanish
    pdcf we're renting a two bed flat in Brixton, 1850 a month
    pdcf my mother in law's place is in Kandy and we go there every december
    pdcf Address is changed, we're now at 14 Willow Lane
    pdcf my office is in Nairobi but i work from home in Naivasha on mondays and fridays
    pdcf got a cabin up near Lillehammer that belonged to my aunt
    pdcf i drive a 2014 skoda octavia diesel
    pdcf got two cats, Miso and Pepper, both rescue
    pdcf our dog Bruno's 13 and blind in one eye
    pdcf my laptop's a thinkpad t480 running debian, how do i install vlc on it
    pdcf bought a cello last year, i'm learning at 51
    pdcf ive an android phone, a pixel 6, never had an iphone
    pdcf we keep bees, four hives behind the barn
    pdcf the boat's called Marguerite, she's a 28 foot sloop and we keep her in Falmouth
    pdcf I own 12 goats and a cow
    pdcf my bike is a Trek hybrid size medium, i ride it to work everyday
    pdcf please always answer me in short sentences, english isnt my first language
    pdcf dont use emojis with me, ever
    pdcf call me Gus, nobody calls me Augustus
    pdcf from now on give me temperatures in celsius
    pdcf i prefer bullet points to long paragraphs
    pdcf whenever i ask for code i want python, not javascript
    pdcf never start your replies with great question, i hate it
    pdcf I like metric units and 24 hour time, keep that in mind for everything
    pdcf always give me the source when you tell me a fact
    pdcf my pronouns are they/them
    pdcf I wake up at 5 every day to pray
    pdcf i swim at the Lido every wednesday with my neighbour Hanne
    pdcf been vegetarian since i was 14
    pdcf we do our big shop at aldi every friday evening
    pdcf i don't drink alcohol, never have
    pdcf Sundays we always have lunch at my grandmother's
    pdcf play bass in a wedding band most weekends in the summer
    pdcf i read on the train, one book a week, mostly crime novels
    pdcf kids get no screens on school nights, that's the rule in our house
    pdcf i fast every ramadan so in that month dont plan me lunches
    pdcf i earn 2400 euros a month after tax
    pdcf we're paying off a mortgage of 190k with Nationwide, fixed till 2028
    pdcf I owe my sister 600 pounds and i've promised to pay it back by christmas
    pdcf putting 150 a month aside for a trip to japan
    pdcf my bank is Monzo and the joint account's with Barclays
    pdcf got a student loan of about 31 thousand dollars still to pay
    pdcf our holiday budget this year's 2000 max
    pdcf My husband handles all the bills, i do the savings
    pdcf i invoice in swiss francs, all my clients are in Zurich
    pdcf inherited some land from my uncle in Kerala, about two acres, rubber trees
    pdcf decided were not having any more kids
    pdcf ok i've made up my mind, i'm going with the Kyocera printer for the office not the Epson
    pdcf we chose Lisbon for the wedding
    pdcf i'm dropping out of the law degree, told my parents last night
    pdcf We've settled on Postgres for the shop database
    pdcf ive decided to sell the van and get an electric one
    pdcf no more meetings on fridays, the team agreed it yesterday
    pdcf going to homeschool Mateo from september, its decided
    pdcf we picked the name Juniper for the baby
    pdcf I'm not renewing my gym contract, it ends in november
    pdcf my surgery's on 17 june at St Vincent's
    pdcf we fly to Buenos Aires on december 20th and come back january 8th
    pdcf im getting married on the 14th of september 2026
    pdcf driving test is booked for 5 may, 9.40 in the morning
    pdcf moving out of the dorm on june 30 so any packing tips
    pdcf My visa expires on 11 november
    pdcf starting at the new school on the 22nd of august, ill be deputy head
    pdcf got my citizenship ceremony on the 2nd of july in Ottawa
    pdcf the lease on our shop runs out end of february 2027
    pdcf signed up for the Valencia marathon on 6 december
    pdcf i promised my daughter id take her to see the northern lights when she turns ten
    pdcf gave my word to Father Michael that i'd repaint the parish hall before easter
    pdcf i speak portuguese, french and a bit of wolof
    pdcf can't swim, never learned
    pdcf favourite colour's dark green and i love anything by Miriam Makeba
    pdcf i can't stand coriander, leave it out of every recipe
    pdcf told the landlord i'd fix the fence myself by the end of may
    pdcf Im left handed so guitar diagrams need flipping for me
    pdcf I support Celtic, have done all my life
    pdcf i've got a black belt in judo and coach the under 12s
    pdcf birthday's the 29th of february, i'm a leap year baby
    pdcf my niece Thandi is studying nursing in Durban and i pay her fees
    pdcf what's a good gift for a 60 year old, my mum Elena turns 60 on october 4 and she loves orchids
    pdcf wear size 45 shoes, wide fit
    pdcf we're quakers
    pdcf i use a wheelchair, so restaurants have to be step free
    pdcf my best friend Yusuf moved to Malmö and we call every thursday
    pdcf been sober six years this week
    pdcf our son Kofi's allergic to peanuts and carries an epipen
    pdcf so the thing is Leila, thats my stepdaughter, lives with us full time now
    pdcf fyi I go by Mack, short for Mackenzie
    pdcf there's five of us at home, me, Duc, his parents and little Minh
    pdcf became a grandma in may!! a boy, Oskar, 3.8 kilos
    pdcf my nephew Tariq is doing his military service in Amman till spring
    pdcf divorced, two teenagers, they're with me in term time
    pdcf We're foster carers, we have two brothers with us aged 6 and 9
    pdcf lost my husband Edwin in 2019, so it's only me and the garden now
    pdcf my father in law has parkinsons and i go round every morning to help him dress
    pdcf both my parents are deaf so sign language is what i grew up with
    pdcf epileptic since childhood, on lamotrigine 200 twice a day
    pdcf shellfish makes my throat swell up, prawns crab all of it
    pdcf need a packed lunch idea, btw im lactose intolerant
    pdcf The doctor's confirmed it, it's rheumatoid arthritis, i'll be on methotrexate from now on
    pdcf wearing an insulin pump since february, so much better than the pens
    pdcf i get migraines from flashing lights and red wine, had them for decades
    pdcf Ahmed's had a pacemaker fitted, he's my older brother, you'll hear me mention him a lot
    pdcf got hearing aids in both ears, phone calls don't work for me so text only
    pdcf my blood group is O negative and i donate every three months
    pdcf down to one kidney, gave the other to my sister in 2016
    pdcf tram driver in Melbourne here, twelve years on route 96
    pdcf by trade i'm a stonemason, mostly church repairs round Lincolnshire
    pdcf Got promoted to ward sister today, permanent post, paediatrics
    pdcf handed in my notice at the bank, last day's the 31st of october
    pdcf since 2020 i've been running the farm by myself, sheep and barley, 90 hectares
    pdcf I'm a merchant navy officer, three months at sea then three at home
    pdcf My business partner's Ludovic, he does the sales and i do the carpentry
    pdcf mami cleans offices downtown and i help her with all her paperwork
    pdcf second year apprentice electrician, college day is thursday, can u explain ring circuits
    pdcf i'm on the board of our housing coop, treasurer actually
    pdcf home's a houseboat on the canal in Utrecht
    pdcf our village's up past Pokhara, three hours from the nearest hospital
    pdcf left Aleppo in 2014, Gothenburg's been home since
    pdcf grew up on a reservation in South Dakota and moved to Denver for college
    pdcf sharing a flat with two other students, Noor and Jack, on Argyle Street
    pdcf there's no mobile signal at our farm so i only see messages in the evening
    pdcf Building our own house outside Accra, the roof went on last month
    pdcf my timezone is Auckland, don't book me anything on london hours
    pdcf the restaurant we always go to for anniversaries is Da Pino on the harbour
    pdcf we've just bought the flat upstairs too so from now on the whole house is ours
    pdcf the piano in our front room is a 1920s Bechstein that was my nana's
    pdcf have a parrot, Captain, african grey, 31 years old
    pdcf My horse is called Duchess, chestnut mare, stabled at Greenfields
    pdcf Royal Enfield 350, that's my bike, had it since college
    pdcf we've a heat pump and solar panels, 6 kilowatts, how do i read the inverter
    pdcf my camera is a Fuji xt3 and i only shoot with a 35mm lens
    pdcf our tractor is an old Massey Ferguson 135, runs fine, bought it off my uncle
    pdcf collect stamps from the old Ottoman post, about four hundred by now
    pdcf there's a tortoise in the family, Gerald, older than my dad
    pdcf all my kit at home is apple, macbook, ipad, the lot
    pdcf no tables or markdown please, my screen reader chokes on them, this goes for every answer
    pdcf could you from here on write dates day first, like 4 March
    pdcf speak to me like a colleague not like a customer, always
    pdcf When I ask about medicine skip the see your doctor line, im a GP myself
    pdcf always reply in british spelling for me
    pdcf i'd rather you ask me before guessing, every time
    pdcf In future give me the answer first and the reasons after
    pdcf hate being called sir, im a woman, name's Robbie
    pdcf keep every recipe to four servings, thats how many we are
    pdcf stop suggesting podcasts to me, now and for good, i never listen to any
    pdcf choir practice is mondays at 7, i sing alto
    pdcf every morning before work i do twenty minutes of tai chi in the park, have for years
    pdcf no coffee for me after noon, keeps me up all night, always has
    pdcf Afternoons from two to four im asleep, siesta, so remind me of things before or after
    pdcf me and the lads play five a side on tuesdays, been going ten years
    pdcf i knit, mostly socks, and sell them at the christmas market in Bergen every year
    pdcf keep shabbat, so friday sunset to saturday night i'm offline
    pdcf on the first sunday of each month i visit my mum's grave
    pdcf Every august the whole family goes camping in the Ardennes
    pdcf Been vegan for nine years, my partner isn't
    pdcf my pension comes in on the 25th, 980 a month, that's all i live on
    pdcf child support's 420 a month, i pay it on the first
    pdcf sold all my shares and put it into an index fund, won't be touching it till i'm 65
    pdcf we split everything 60 40 because Jonas earns more than me
    pdcf still owe 8,200 on the car, finance ends in march 2028
    pdcf Ever since the bankruptcy in 2017 i don't use credit cards at all
    pdcf Send my mother 200 dollars in Tegucigalpa every month, have done since i came here to work
    pdcf my hourly rate's gone up to 65 for all new clients
    pdcf we're saving for a deposit, 23k so far, aiming at 40 by next summer
    pdcf got the scholarship!! full tuition for all three years at Leiden
    pdcf right, thats settled, Dad's going into the Rosewood care home
    pdcf after all that we've gone for the blue kitchen, order's placed
    pdcf I have decided against the operation and told the surgeon so
    pdcf Kasia and me are splitting up, she's keeping the flat
    pdcf we'll be raising the kids bilingual, danish with me and tamil with her, thats our choice
    pdcf for my thesis i've settled on tidal energy in Orkney, supervisor said yes
    pdcf final answer on our logo is the heron one, we've paid the designer
    pdcf i'm switching to a four day week, boss signed it off, fridays off from now on
    pdcf turned down the Singapore job because of the kids' school
    pdcf the committee voted and our club's moving to the Riverside pitch for good
    pdcf 12 april, 8am, my cataract operation, right eye, Moorfields
    pdcf Abuela's 90th is on july 19 and the whole family's flying to Oaxaca
    pdcf my thesis has to be handed in by 30 september, no extension
    pdcf Booked! Hurtigruten, 3rd to 14th of february, cabin for two
    pdcf our baby's christening will be on whit sunday at St Anne's
    pdcf court hearing's been set for november 18 at ten, custody of my daughter Amelie
    pdcf i leave for Antarctica on october 27, four months at Halley station
    pdcf MOT is due by 6 june on my Corsa
    pdcf bar exam for me is on the 24th and 25th of february, what should i revise first
    pdcf we open our café on saturday the 9th of may
    pdcf Promised Grandpa i'd learn the accordion so his one gets played
    pdcf i've sworn to my wife no more night shifts after this year
    pdcf told Bashir i'll be his best man, wedding's in Lahore in march
    pdcf have committed to reading to the kids at St Luke's library every tuesday till summer
    pdcf i'm godfather to Ruben, my best mates lad
    pdcf fluent in tagalog and ilocano, my spanish is basic
    pdcf never learnt to drive, i get everywhere by train
    pdcf Scared of flying, so for any trip look at ferries and trains first
    pdcf jazz is my thing, Coltrane above all, can't abide country
    pdcf aubergine and olives, the two things i won't eat, ever
    pdcf left school at 15, got my degree at 47 from the Open University
    pdcf i'm 68 and live alone in Hobart
    pdcf my date of birth's 8 november 1995, for any forms
    pdcf i'm a muslim convert, since 2011
    pdcf dress size is 14, i'm 1 metre 58
    pdcf our internet's with Telstra, contract runs till april 2027
    pdcf my dentist is Dr Szabo on Rákóczi street, been going to her for years
    pdcf Emergency contact for me is my cousin Folake, not my husband
    pdcf The kids go to Ecole Saint Joseph, Amadou's in CE2 and Fatou in CM1
    pdcf what's a decent beginner telescope, my lad Owen is mad about planets and he's 11 on boxing day
    pdcf my daughter Ines starts school in september, any tips for the first week
    pdcf been a nurse for 22 years now
    pdcf we moved to Leeds last spring, whats the council tax phone number
    pdcf got a new puppy on saturday, a beagle called Biscuit
    pdcf please always answer me in short bullet points
    pdcf my husband's a lorry driver so he's away mon to thu every week
    pdcf i've decided im not renewing the gym membership, it ends in march
    pdcf just so you know i dont eat pork
    pdcf my mum has dementia and lives with us now
    pdcf can you suggest a birthday gift, my brother Tunde turns 40 on 12 june
    pdcf our wedding is 14 august 2026 in Kilkenny
    pdcf quit smoking three weeks ago and i'm staying off them for good
    pdcf i drive a 2014 toyota corolla with about 180k on it, what oil should i use
    pdcf dont call me sir, just Rafael is fine
    pdcf my son's autistic and loud places are hard for him, where can we eat in bristol
    pdcf I work nights at the bakery, tuesday to saturday
    pdcf my landlord's name is Mr Okafor and rent is due on the 3rd of each month
    pdcf promised my sister i'll pay her back the 2000 by christmas
    pdcf got diagnosed with type 2 diabetes yesterday, what should breakfast look like
    pdcf we've got three cats and a tortoise
    pdcf i'm left handed btw, so which scissors do i need
    pdcf my wife is expecting twins in november
    pdcf I retired from the post office last year after 31 years
    pdcf i run a small flower shop in Porto with my cousin
    pdcf use metric units whenever you answer me, i never learned the imperial ones
    pdcf my knees are bad, arthritis in both, need exercises i can do sitting
    pdcf we finally bought the house on Elm Street, completion is 2 may
    pdcf grandad passed away in january, he was the one who raised me
    pdcf studying for the bar exam, sitting it in july in New York
    pdcf hate coriander, always have, leave it out of any recipe you give me
    pdcf my boyfriend Mateus is from Recife and speaks no english
    pdcf changed my surname after the divorce, it's Lindqvist now
    pdcf i go to mass every sunday at ten so never plan anything then
    pdcf our boiler is a Vaillant ecotec, put in in 2019
    pdcf i'm deaf in my right ear
    pdcf my boss is called Henrike and she approves all my leave
    pdcf i get paid on the 25th of every month, help me plan a budget
    pdcf started learning the cello at 58, lesson every thursday at six
    pdcf my eldest is at university in Glasgow doing chemistry
    pdcf decided to go with the blue tiles for the bathroom, not the grey
    pdcf i'm colour blind, red and green mostly, so pick other colours for charts
    pdcf got my kenyan passport renewed, expires 2034
    pdcf my best friend Priya lives in Toronto, what time is it there
    pdcf I can't swim, never learned
    pdcf been sober since 9 february 2021
    pdcf my father in law has a pacemaker, can he go through airport scanners
    pdcf we're going to Japan from 3 to 19 april next year
    pdcf i take levothyroxine every morning, can i have coffee with it
    pdcf live on the fifth floor with no lift so deliveries are a pain
    pdcf im the treasurer of our village cricket club
    pdcf always explain things to me without jargon please, i left school at 14
    pdcf my savings are all with Nationwide
    pdcf sold the motorbike last month, so no more motorbike insurance for me
    pdcf our daughter changed her name to Robin and uses they now
    pdcf i've got a peanut allergy and carry an epipen
    pdcf my shop opens 8 to 6 except wednesdays when we shut at noon
    pdcf born in Lahore, raised in Oslo
    pdcf signed a three year lease on the studio in Marseille
    pdcf my partner Jo and i have agreed we wont have kids
    pdcf my granddaughter Poppy's birthday is the 8th of october, what do 5 year olds like
    pdcf I keep bees, six hives behind the barn
    pdcf having my hip replaced on 17 march at St Vincents
    pdcf im a morning person, up at 5 every day without an alarm
    pdcf i dont drink alcohol for religious reasons, any ideas for a toast
    pdcf got promoted to head of year at the school where i teach
    pdcf our dog Rufus is epileptic and takes phenobarbital twice a day
    pdcf I write my novel in scrivener and it's set in 1920s Trieste
    pdcf no emojis in your replies ever please
    pdcf my student loan is 41,000 and i pay 230 a month on it
    pdcf we speak Tamil at home
    pdcf i'm saving for a deposit, want 30k by the end of 2027
    pdcf my neighbour Gwen has our spare key
    pdcf allotment plot number is 47b and i've had it since 2012
    pdcf my daughter's got braces till next summer
    pdcf handed in my notice today, last day at the bank is 30 june
    pdcf i have a phobia of flying so it's trains only for me, how do i get to vienna
    pdcf my wifes mother is coming to live with us from december
    pdcf i wear a size 46 shoe, which brands go that big
    pdcf i coach the under 12 girls football on tuesdays
    pdcf our son Kofi is allergic to eggs, need a cake recipe for him
    pdcf Been married 37 years to the same wonderful woman, Aileen
    pdcf im a freelance translator, german and dutch into english
    pdcf i've chosen the Ford over the Kia, picking it up on the 20th
    pdcf my blood type is O negative
    pdcf we keep halal at home
    pdcf call me Dot, nobody calls me Dorothy
    pdcf my phone is a pixel 7, how do i turn off the flash notifications
    pdcf I told the choir i'd sing the solo at the easter concert
    pdcf i'm doing a phd on peat bogs in Galway
    pdcf my sister in law Marta is my childrens godmother
    pdcf lactose intolerant here, which cheeses are ok
    pdcf i served in the navy for twelve years
    pdcf our cabin's in Värmland, we go there every july
    pdcf my migraines come from red wine and chocolate
    pdcf had my appendix out in 2009
    pdcf i invoice all my clients on the last friday of the month
    pdcf my twin brother is a firefighter in Perth
    pdcf dad's 80th is on 5 november and we've booked the Red Lion for it
    pdcf from now on write my emails in british spelling
    pdcf i have two jobs, cleaner in the mornings and cashier at night
    pdcf my girlfriend proposed last night and i said yes!!
    pdcf my office is in the Harlan building, room 312
    pdcf we're vegan apart from honey
    pdcf got a mortgage with Santander, fixed till 2029
    pdcf i play bass in a ska band called the Wobbly Bishops
    pdcf my little boy Teo is 14 months and has never slept through, what do people do
    pdcf im moving to Lisbon in october for good
    pdcf i'm a wheelchair user so check for step free access when you suggest places
    pdcf our car is electric and we charge at home overnight
    pdcf my psychologist is dr Amsel, i see her every second monday
    pdcf gave up sugar in tea for good in the new year and i'm sticking with it
    pdcf i've got a farm near Bendigo, 300 merino sheep
    pdcf i prefer the window seat, always book me that
    pdcf my mother's maiden name is Castellanos
    pdcf we adopted a little girl from the foster system last autumn, her name is Shanice
    pdcf i've committed to running the Berlin marathon in september, need a training plan
    pdcf asthma since childhood, so no incense ideas please
    pdcf the wife and I run a guesthouse in Hoi An, eight rooms
    pdcf when you write code for me use tabs not spaces, thats how we do it here
    pdcf turned 67 in may
    pdcf ours is a family of coeliacs, all five of us, so what pasta do we buy
    pdcf Ayesha, my youngest, plays the oboe and has grade 6 on 11 december
    pdcf nobody in my house eats fish, including me
    pdcf signed up for evening classes in welding, they begin 6 october at the college
    pdcf i've lived in the same flat in Gdansk since 1988
    pdcf dyslexic here, so give me short paragraphs whenever you write to me
    pdcf my granny's the chief of our village in Ghana
    pdcf the boat's mine, a 27 foot sloop named Marigold and she's moored at Falmouth
    pdcf settled it with my wife, we're selling the flat in spring
    pdcf worked as a plumber all my life, now i teach apprentices
    pdcf he's my stepson, Luka, 16, and he lives with us full time
    pdcf i stammer, so i'd rather type than use voice with you
    pdcf from monday i'm on a four day week, fridays off permanently
    pdcf my glaucoma drops go in at 7am and 9pm, can you write me a chart
    pdcf always give me the source with any number you quote
    pdcf Manchester City season ticket holder for 20 years, when do they play next
    pdcf finished chemo in august, they say it's in remission
    pdcf no one calls her Elizabeth, my niece goes by Bizzy
    pdcf all my accounts are in swiss francs, i'm paid in Zurich
    pdcf took on a foster greyhound in march and now we've adopted him, name's Comet
    pdcf my visa runs out on 28 february, how early can i extend
    pdcf i drive a taxi in Nairobi, mostly the airport run
    pdcf our anniversary is the 22nd of may, where could we go
    pdcf i'm putting 150 a month aside for my nephew's college fund
    pdcf my eyesight is minus 9, what lenses are thinnest
    pdcf vowed never to lend money to my brother again and i mean it
    pdcf gluten makes me ill
    pdcf the kids call me Papi and i'm a stay at home dad
    pdcf i'm on a dvorak keyboard, have been for years, so what shortcut would be easy
    pdcf Mondays i volunteer at the food bank
    pdcf my whole team sits in Bangalore and i'm in Cork
    pdcf gone back to my old job at the hospital laundry as of last week
    pdcf my solicitor is Mrs Pettigrew on Castle Street
    pdcf we fast in ramadan, give me ideas for suhoor
    pdcf i've a titanium plate in my left wrist from a bike crash in 2016
    pdcf bought a secondhand Leica M6, what film do you recommend
    pdcf i'm a widow, Stan died six years ago
    pdcf my pension comes from the railway, 1140 a month
    pdcf we named the baby Aurelio, he was born on tuesday
    pdcf I can only ever do meetings after 2pm because of the school run
    pdcf have a horse, Bramble, stabled at Hillcrest farm
    pdcf i'm not on any social media and intend to keep it that way
    pdcf my parents split up when i was nine and i grew up with my aunt in Cebu
    pdcf my thesis supervisor is professor Nakagawa
    pdcf please reply to me in spanish from now on, even if i write english
    pdcf accepted the job offer from the museum in Utrecht, start date 1 september
    pdcf we have solar panels on the roof, 12 of them, how do i clean them
    pdcf my left foot is a size bigger than my right
    pdcf my will is with the notary in Ghent, i signed it in june
    pdcf got adhd, diagnosed at 41
    pdcf my mate Declan and i are opening a chip shop in Sligo in the new year
    pdcf i'm saying no to the extension, we will just redo the kitchen, thats final
    pdcf my uncle Bashir is my legal guardian
    pdcf for me its tea with milk and two sugars, never coffee
    pdcf im the only one in the family who can drive
    pdcf my scholarship covers tuition but not rent, how can i find cheap housing
    pdcf we rent out the basement to a student called Olumide
    pdcf I've been skipping meat on weekdays for three years, what protein should i add
    pdcf Dad has parkinsons, looking for cutlery thats easy to hold
    pdcf my passport is romanian but i've lived in Italy since i was two
    pdcf there's a parrot in our house, 31 years old, named Admiral
    pdcf swore the oath as a canadian citizen last thursday!
    pdcf i collect fountain pens, about ninety so far
    pdcf i gave Mum my word that i'd drive her to Lourdes next may
    pdcf i manage the night shift at a parcel depot outside Lyon
    pdcf my daughter in law is a vet, handy for the dog
    pdcf i'm 6 foot 5, what bikes come in my size
    pdcf every winter we go to my sister's in Tenerife
    pdcf my cholesterol tablets are atorvastatin 20mg
    pdcf i've joined the volunteer fire brigade, training's each wednesday night
    pdcf our printer at home is a Brother laser, the toner ran out, which one fits
    pdcf my youngest sister is getting married in Jaipur on 9 december
    pdcf paid off the car loan at last, were debt free now
    pdcf i hate phone calls, so always suggest email or text to me instead
    pdcf i live with my two flatmates Anouk and Pieter in Rotterdam
    pdcf lost my right thumb in a sawmill accident years ago, need tools i can grip
    pdcf we've decided on the montessori for Hugo, he starts in january
    pdcf i'm the eldest of nine
    pdcf i bank with the Capital credit union, where do i find the swift code
    pdcf i speak portuguese, french and a bit of Wolof
    pdcf i have perfect pitch and tune pianos for a living
    pdcf bee stings send me to hospital
    pdcf our house has a septic tank, can i use bleach
    pdcf mine's the end terrace with the red door, number 9 Quarry Road
    pdcf the twins, Ola and Ewa, are in year 4, how do i split their bedroom
    pdcf when i ask for a recipe always make it for two people
    pdcf i teach maths at a prison
    pdcf never was religious but i'm converting to judaism, the beit din is in march
    pdcf my carer comes at 8 and 5 every day
    pdcf I grow chillies for the market, twelve kinds
    pdcf we've set our budget for the new roof at 14 thousand and wont go over
    pdcf my ex wife Siobhan has remarried and moved to Boston
    pdcf hubby's just been made redundant from the steelworks after 19 years
    pdcf i use linux mint on my laptop, how do i install the scanner
    pdcf i'm afraid of dogs, was bitten when i was six
    pdcf my half marathon is on 26 april in Prague and i've paid the fee
    pdcf our co-op meets on the first tuesday of each month, i take the minutes
    pdcf i'm a single mum with three under ten
    pdcf mum and dad's farm is going to my brother, it's agreed in the family
    pdcf my hearing aids are Phonak, which batteries
    pdcf i can't have grapefruit because of my heart pills
    pdcf my apprenticeship as a joiner ends in july 2027
    pdcf the name's Thandeka, i'm a midwife from Durban
    pdcf i'd like you to be blunt with me every time, no sugar coating
    pdcf we've a caravan at Skegness that we use from easter to october
    pdcf my fiance Ravi's parents are jains so no onions or garlic when we cook for them, menu ideas?
    pdcf i owe the tax office 3,200 and am paying it off till november
    pdcf had laser surgery on both eyes in april so i dont need glasses any more
    pdcf been playing the accordion since i was seven
    pdcf i was adopted and found my birth mother in Chile last year
    pdcf my parking bay at work is C14
    pdcf we're a two language household, danish with me and greek with their father
    pdcf cancelled netflix for good, we only watch mubi now
    pdcf my nan left me her house in Swansea, what taxes are due
    pdcf my working hours are 6 to 2, time zone is Manila
    pdcf as of this year i run the family vineyard in Mendoza with my dad
    pdcf my daughter maeve starts secondary school in september, what should i put on the shopping list
    pdcf been vegetarian since 2011 so skip the chicken recipes please
    pdcf we moved to leeds in march
    pdcf I'm allergic to penicillin, found out the hard way when I was nine
    pdcf got a new job at the port authority, start on the 3rd of june
    pdcf my husband's name is tobias and he works nights
    pdcf please always answer me in short bullet points i cant read long paragraphs
    pdcf decided to sell the van, can you help me write the ad
    pdcf i run every morning before work about 5k
    pdcf our dog is called pickle shes a border terrier
    pdcf im a nurse in a children's ward in manila
    pdcf paying 640 a month on the mortgage till 2041
    pdcf Dad died in February so mum's on her own in Galway
    pdcf my birthday's the 14th of november btw
    pdcf gave up smoking on new years day and haven't touched one since
    pdcf i hate phone calls, email is always the way to reach people for me
    pdcf we're getting married on 22 august next year in puglia, how far ahead do you book a band
    pdcf my son's lactose intolerant so any lunch ideas need to be dairy free
    pdcf i drive a 2014 skoda octavia diesel, what oil does it need
    pdcf just retired after 38 years teaching geography
    pdcf my sister lives in auckland with her three kids
    pdcf i'm left handed so which guitar should i look at
    pdcf signed the lease on the shop in mill street yesterday, five years
    pdcf my knees are bad, had both replaced in 2019
    pdcf from now on use metric units with me
    pdcf were expecting our second baby in october
    pdcf i promised my nephew i'd take him to the air show in july
    pdcf studying for the bar exam, sitting it in february
    pdcf i've got type 1 diabetes, had it since i was 12
    pdcf my wife's vegan and i'm not so we cook twice most nights
    pdcf moved my savings to a credit union last month and closed the bank account
    pdcf dont use emojis when you answer me ever
    pdcf i live on the fourth floor without a lift
    pdcf our anniversary is may 9th, remind me what's the gift for ten years
    pdcf My grandson Kofi has just got a place at Legon to study medicine
    pdcf quit drinking eighteen months ago
    pdcf we've got two cats, miso and biscuit, and biscuit needs a pill every day
    pdcf im the treasurer of our tennis club
    pdcf my landlord is called mr okafor and he lives downstairs
    pdcf i cant eat gluten, im coeliac, so what pasta would you buy
    pdcf got divorced in 2020, kids are with me every other week
    pdcf my boss is moving to singapore and i'm taking over her team in january
    pdcf i speak portuguese at home and english at work
    pdcf we keep bees, four hives at the bottom of the garden
    pdcf saving for a house deposit, aiming for 40k by the end of 2027
    pdcf my brother's in the navy and wont be home until christmas
    pdcf prefer window seats always
    pdcf had a heart attack in 2022 and take blood thinners every day, is ibuprofen ok
    pdcf call me sunny, nobody uses my real name sunita
    pdcf we homeschool our twins
    pdcf i'm colour blind so don't give me charts that depend on red and green
    pdcf my flight to nairobi's on the 18th of december, whats the luggage limit
    pdcf our house was built in 1906 and has no insulation in the walls
    pdcf I've decided to go back to university and do a master's in hydrology
    pdcf my stepdaughter amy is autistic and hates loud places
    pdcf i own a bakery in bendigo with my cousin
    pdcf i never eat breakfast, first meal's at noon
    pdcf bought a sewing machine last week a secondhand bernina
    pdcf I work Tuesdays to Saturdays, so never put anything of mine on a Saturday
    pdcf my mother in law's moving in with us in april
    pdcf scared of flying so we always take the train on holiday
    pdcf i take sertraline 50mg every morning
    pdcf our son plays the cello, grade 6 now
    pdcf owe my uncle 3000 dollars and i'm paying him back 250 a month
    pdcf i'm from lahore but i've lived in toronto since i was six
    pdcf explain things to me without jargon please, i left school at 14
    pdcf we decided on no more kids
    pdcf my passport runs out in march 2026, how long does a renewal take
    pdcf i coach the under 11s girls football on sundays
    pdcf lost my hearing in the left ear as a kid
    pdcf my partner jules is a chef at a hotel in lyon
    pdcf we're going to move to portugal when i retire in 2029, it's all settled
    pdcf i collect old fountain pens, got about sixty of them
    pdcf got my license back in may after two years without
    pdcf my eldest is getting married in kerala on 12 january
    pdcf im on a zero hours contract at a warehouse
    pdcf hate coriander, leave it out of anything you suggest
    pdcf my blood group is o negative
    pdcf our youngest has asthma and carries a blue inhaler
    pdcf I'm writing my doctoral thesis on medieval salt trade, due in september
    pdcf sold the farm to our neighbour in the spring
    pdcf my therapist's dr lindqvist, i see her every other thursday
    pdcf i dont have a car, go everywhere by bike
    pdcf my wifes sister is coming to live with us from ukraine next month
    pdcf we bank with nationwide and the joint account is for bills only
    pdcf give me the answer first and the reasoning after, always
    pdcf been playing the trombone in a brass band for twenty years
    pdcf i've accepted the offer from the hospital in basel
    pdcf our surname is pronounced sheen not shane
    pdcf my granddaughter was born on the 2nd of april, they named her odette
    pdcf i wear size 46 shoes which brands go that big
    pdcf have a bad back so i can't lift anything over ten kilos
    pdcf my daughter's going out with a lad called dev, they've been together three years
    pdcf i'm going for my pilots licence this year already booked the lessons
    pdcf we pay our cleaner rosa 15 an hour and she comes on wednesdays
    pdcf I keep Ramadan every year so please plan meals around it
    pdcf my company has eleven employees and we make garden furniture
    pdcf i always write in british spelling, keep to it
    pdcf our boiler is a vaillant from 2012, how often should it be serviced
    pdcf my cousin nadia is my lawyer
    pdcf got a tattoo of my late brothers name on my arm
    pdcf i've told my team i'll have the audit finished by 30 april
    pdcf hubby's allergic to bee stings and carries an epipen
    pdcf i work as a long haul lorry driver mostly spain and france
    pdcf we have a cabin by lake saimaa and spend every july there
    pdcf my ex has moved to denver and the kids stay with him in the summers
    pdcf i don't drink coffee only tea
    pdcf turned 60 last week, big party
    pdcf i do my shopping at the market on fridays every week
    pdcf my son failed his driving test twice and is taking it again on 7 march
    pdcf i want you to talk to me in spanish on mondays so i can practise
    pdcf my dad's a retired bus driver and he's 81
    pdcf had my gallbladder out in 2018
    pdcf we adopted a greyhound from the shelter in cork, he's called duke
    pdcf ive chosen the blue kitchen, it's ordered and comes in may
    pdcf i'm deputy head at a primary school in durban
    pdcf promised my wife no more motorbikes so i sold mine
    pdcf our wifi provider at home is vodafone and the contract ends in november
    pdcf my best friend lucia lives in montevideo and we talk every sunday
    pdcf so the wife's just been made head of radiology at st mary's
    pdcf fyi no shellfish for me, throat swells up
    pdcf turns out the little one is dyslexic, got the report today, which reading apps are good
    pdcf as of monday i'm self employed, plastering mostly
    pdcf nan turned 90 and still lives alone in swansea with her budgie
    pdcf the visa came through, so i'm off to osaka for two years from april
    pdcf No more meat in this house, we all agreed on it at Easter
    pdcf used to be a welder now i fix lifts
    pdcf heads up i use a wheelchair so look for step free places when you suggest anything
    pdcf ended up buying the allotment next to the railway, whats good to plant first
    pdcf both my boys box at the gym in gorbals, the older one's fighting for the county title in may
    pdcf mine's a pixel 8 by the way in case it matters for the settings
    pdcf when you write for me keep it formal and never start with dear
    pdcf there's six of us at home, me, my parents and three sisters
    pdcf can't have grapefruit because of my statins, what juice then
    pdcf the kidneys packed up last year so im on dialysis mondays wednesdays and fridays
    pdcf took out a loan for the taxi, 48 months
    pdcf I'm a Jehovah's Witness and I don't celebrate birthdays
    pdcf she said yes!!! wedding's next spring in oaxaca
    pdcf youngest lad's joined the fire brigade in perth
    pdcf wear hearing aids in both ears since the army
    pdcf our goats kidded last week so we've eleven now, how much hay is that
    pdcf i've made up my mind, i'm leaving the firm at the end of june
    pdcf the missus is from cebu and we go there every christmas
    pdcf night owl here, do my best work after ten pm so plan my tasks for then
    pdcf my tax number's changed since i registered the company in estonia
    pdcf living on a narrowboat near devizes these days
    pdcf mam's hip operation is booked for 19 february at the mater, what should she bring
    pdcf broke my collarbone skiing back in 2016 and it never set right
    pdcf Foster carer for nine years now, currently have two brothers aged 4 and 6
    pdcf gonna do the camino in may with my sister, tickets bought
    pdcf the baby's due on valentines day and its a girl
    pdcf no sugar in my tea since the diagnosis, prediabetes they call it
    pdcf i sing alto in the cathedral choir, rehearsals thursdays
    pdcf our kid's school is st columba's and he's in year 4
    pdcf paid off the last of the credit cards today, never having another one
    pdcf my missus calls me bear but you can call me rashid
    pdcf both grandparents on my dad's side were from trieste
    pdcf i'm hopeless with maths so show me every step whenever there are numbers
    pdcf thirty two hours a week at the library, off on mondays, that's my job now
    pdcf we lost our house in the floods and live with my aunt in porto alegre now
    pdcf keeping kosher, so no mixing milk and meat in the menus please
    pdcf my accountant is a woman called priya raman, she does the books each quarter
    pdcf dropped out of engineering and enrolled in nursing instead
    pdcf the car's insured with aviva until the end of august
    pdcf Had a stroke three years ago and my right hand doesn't work properly, which keyboard would suit
    pdcf hubby and i split up in the autumn, he's kept the flat
    pdcf for the record my middle name is ignatius
    pdcf i fish for crab out of cromer, got my own boat, the mary ellen
    pdcf auntie bea raised me after my parents passed
    pdcf told the landlord were out by the 31st of march, gave notice in writing
    pdcf spent my whole childhood in military bases, my old man was a sergeant
    pdcf im terrified of dogs always have been
    pdcf stick to python with me i dont know any other language
    pdcf got the keys to our first home today, number 17 larch close
    pdcf my pension kicks in when i turn 67 in 2031
    pdcf eldest girl's a vet in wagga wagga and the other one's still studying
    pdcf epileptic since my teens, no flashing lights
    pdcf I've taken over my father's orchard, forty acres of cider apples
    pdcf we've set a budget of 350 a month for food and want to keep to it, any cheap dinners
    pdcf in our family nobody drinks alcohol, its our religion
    pdcf doing a part time degree with the open university, third year
    pdcf one of my twins has down syndrome, he's 7 and loves trains
    pdcf swore off social media in january, deleted the lot
    pdcf i'm six foot five so what bike frame do i need
    pdcf our shop's shut on sundays and we open at seven the rest of the week
    pdcf my physio has me doing stretches twice a day for a slipped disc
    pdcf grew up speaking welsh, only learned english at school
    pdcf the in laws live in hyderabad and they visit every winter for three months
    pdcf just passed my hgv test, can drive the big ones now
    pdcf please don't ever suggest places with stairs, my mother uses a walker and comes with me everywhere
    pdcf bringing my cat marzipan when i relocate to vienna in november, what papers does she need
    pdcf was born in asmara, came to sweden as a refugee in 1989
    pdcf i've given my word to ollie that i'll lend him the money for his course
    pdcf my sleep apnea means i use a machine every night, can i take it on a plane
    pdcf we lease two electric vans for the flower business
    pdcf grandad left each of us 5000 and mine's going into an isa, thats decided
    pdcf the neighbour, mrs petrov, has our spare key
    pdcf captain of the village cricket side this year, they voted me in
    pdcf i prefer one question at a time, it gets muddled otherwise, do that from here on
    pdcf my ankle has metal pins in it from the motorbike accident
    pdcf our daughter in law's pregnant, first grandchild, coming in july
    pdcf nuts are a no in this house because of ellie's allergy
    pdcf i play online chess every evening, rated about 1700
    pdcf switched to the four day week, fridays are mine now
    pdcf I am a notary in Quito and my office is on Amazonas avenue
    pdcf kiddo's dad pays 400 maintenance on the first of the month
    pdcf the roof's being redone on 5 may by a firm called harlow and sons
    pdcf been sober since my daughter's christening
    pdcf me and my brother own our mothers flat in naples half and half
    pdcf we're vegetarians except my son who eats fish, what would you cook for sunday
    pdcf my contract at the university ends in december 2026 and won't be renewed
    pdcf gran's recipe book came to me, its all in yiddish
    pdcf i've a pacemaker, fitted two summers ago
    pdcf keep your answers under a hundred words for me, always
    pdcf had to put our old labrador down in the spring, no more pets for us
    pdcf my better half drives trams in melbourne
    pdcf raised in a village near kumasi, seven brothers
    pdcf I run the food bank on Elm Road, Tuesday and Friday afternoons
    pdcf finally got my citizenship, ceremony was last week
    pdcf our eldest's at trinity reading law, graduates in 2027
    pdcf only wear cotton or linen because wool brings me out in a rash
    pdcf the garage is where i've my pottery wheel and kiln
    pdcf signed up for the berlin marathon, its on 27 september, can you draft a training plan
    pdcf my sight's going, macular degeneration, so large print for anything i've to print
    pdcf we don't do presents at christmas, we give to the lifeboats instead
    pdcf i'm paid every second friday
    pdcf brother's out of prison since june and staying in my spare room
    pdcf whenever i ask for a recipe do it for one person, i live alone
    pdcf my godson matteo is making his first communion on the 10th of may
    pdcf committed to teaching sunday school till next summer
    pdcf i drive a boda boda in kampala and i'm saving for a second one
    pdcf the doctor put me on metformin last month, one in the morning one at night
    pdcf our street is cobbled and there's no parking so deliveries go to my work in tanner's yard
    pdcf wifey and me renewed our vows in fiji, thirty years in
    pdcf not a fan of hotels, i always book guesthouses
    pdcf my lad's in a band called the wet tuesdays, he drums
    pdcf my thyroid was taken out when i was thirty so i'm on tablets for life
    pdcf we chose the school in the next town for the girls, they start after the holidays
    pdcf i'm the union rep at the depot
    pdcf I live on the third floor of an old brick building in Leith, no lift.
    pdcf by the way, i'm allergic to penicillin
    pdcf We moved to Tucson in 2019 because of my wife's asthma.
    pdcf My mother turns 80 on the 14th of March.
    pdcf the spare key is under the blue flowerpot by the shed
    pdcf I've been a night-shift nurse at St. Vincent's for eleven years now.
    pdcf Our cat's called Biscuit and she's diabetic, so she gets insulin twice a day.
    pdcf i owe my brother four thousand dollars and i'm paying him back 200 a month
    pdcf I can't eat gluten, I have celiac disease.
    pdcf My salary comes in on the 25th, from Barclays to my joint account with Tom.
    pdcf Honestly I hate phone calls; I'd always rather get an email.
    pdcf My daughter Lena starts at Leeds University in September.
    pdcf We got married on 6 June 2009 in a tiny chapel outside Cork.
    pdcf I keep my passport in the top drawer of the filing cabinet, behind the tax folders.
    pdcf Just so you know, I'm colour-blind, red and green mostly.
    pdcf my rent went up to 1,450 a month and it's due on the first
    pdcf I drive a 2014 Subaru Outback with about 160,000 miles on it.
    pdcf My husband's a long-haul trucker, so he's only home at weekends.
    pdcf I was born in Manila but grew up in Daly City.
    pdcf The doctor put me on metformin, 500 mg with breakfast and dinner.
    pdcf I park in the garage on Hanover Street, level 2, spot 47.
    pdcf Grandpa's old watch is in my safe deposit box at the Chase on Elm.
    pdcf we have two dogs, a beagle named Otis and a very fat pug named Duchess
    pdcf I've signed the contract, so from August I'll be teaching chemistry at Northfield High.
    pdcf My sister-in-law Priya is a tax accountant and she does our returns every year.
    pdcf I don't drink, I'll be eight years sober this May.
    pdcf Our landlord is a Mr. Okafor and he lives right downstairs from us.
    pdcf I'm seventy-three and I use a walker since my hip operation.
    pdcf my kid goes to Maple Street Elementary, she's in second grade
    pdcf I prefer metric units, I never learned to think in inches.
    pdcf There's still 212,000 left on our mortgage, and the fixed rate runs out in 2027.
    pdcf Our wifi router sits in the hall cupboard, behind the hoover.
    pdcf I play the cello in a community orchestra that rehearses on Tuesday evenings.
    pdcf My ex has the boys every other weekend and half of the summer holidays.
    pdcf Oh, and I quit smoking on New Year's Day three years ago.
    pdcf I've got a nut allergy so bad that I carry two EpiPens everywhere.
    pdcf we've booked Lisbon for the second week of October, flights and all
    pdcf My dentist is Dr. Halvorsen on 5th Avenue, I've been going to her since I was twelve.
    pdcf I'm a self-employed plumber, been doing it since I left school at sixteen.
    pdcf The baby's due on November 3rd and it's a girl.
    pdcf My son Mateo is autistic and doesn't cope well with loud places.
    pdcf i bank with monzo but my savings are all at nationwide
    pdcf I'm vegetarian, though I do eat fish when I visit my parents in Bergen.
    pdcf Dad passed away in 2016, and Mum's been in a care home in Hove ever since.
    pdcf My insurance is through Kaiser and the deductible is three grand.
    pdcf I left a set of keys with Mrs. Novak in number 12, in case I ever lock myself out.
    pdcf My name's Siobhan, but everybody calls me Shiv.
    pdcf I still have about 38k in student loans, ugh.
    pdcf We're closing on the house in Duluth on April 30th.
    pdcf I work from home Mondays and Fridays; the other days I'm in the Croydon office.
    pdcf My blood type is O negative and I donate whenever they'll let me.
    pdcf Mornings don't work for me, I never take meetings before ten.
    pdcf Our au pair Camille comes from Lyon and she's staying with us until next June.
    pdcf I've had a pacemaker since 2021, so MRI scans are complicated for me.
    pdcf My tortoise hibernates in a box in the garage from November to March.
    pdcf I retired from the fire department last spring after 28 years.
    pdcf the wills are with our solicitor, Hargreaves and Lowe, in Bath
    pdcf I make about 62,000 before tax, plus whatever I get from tutoring.
    pdcf My twin brother Davy's in the navy, stationed in San Diego.
    pdcf I speak Portuguese with my parents and English with everyone else.
    pdcf My partner Jo is deaf and we sign at home.
    pdcf You should know that I get migraines from red wine and strong cheese, so I stay off both.
    pdcf I run a small bakery in Asheville with my cousin Ruth, we opened it in 2018.
    pdcf My boss is called Annika and she sits in the Stockholm office.
    pdcf I'm left-handed and I wear size 11 shoes, wide fit.
    pdcf My bike is chained up in the basement of my girlfriend's place on Kastanienallee.
    pdcf our anniversary's the 22nd of february and i forget it literally every year
    pdcf I hold both Canadian and Irish passports, and the Irish one expires in 2029.
    pdcf My grandmother raised me in Kingston after my parents split up.
    pdcf I've decided to leave the firm at the end of the year and open my own practice.
    pdcf She's my stepdaughter, actually; her father and I got together when she was four.
    pdcf I'm lactose intolerant, so I take oat milk in everything.
    pdcf The boiler in my flat gets serviced every September by a guy called Phil.
    pdcf My niece Zara has epilepsy and she stays at our place on Wednesdays.
    pdcf I sing bass in the choir at St. Mark's.
    pdcf My pension's paid by the county, roughly 1,900 a month after deductions.
    pdcf I'm in my second year of a PhD on glacier melt at Innsbruck.
    pdcf We lease our fields to the Brandt family, and the contract runs till 2030.
    pdcf I had my gallbladder out when I was nineteen, and fatty food still gets me.
    pdcf Please keep in mind that I'm dyslexic and short paragraphs are much easier for me.
  `,
  `
    can you find me a good bread recipe
    my code doesnt compile
    i think it might rain tomorrow
    i need a title for this essay
    i'm looking for a hotel in rome
    i'm trying to open the pdf but it crashes
    my screen went black again
    i guess you're right
    i was wondering if you could help me
    i have a question about taxes
    my question is whether python or go is faster
    i just finished reading the article you sent
    i dont understand the second step
    we should probably start over
    if i had a dog i'd call him rex
    imagine i'm a pirate captain
    my friend asked if dogs can eat grapes
    he said he lives in paris
    write a story where i live on mars
    i got an error when running npm install
    i'm back
    i'm done with the first part
    i'll think about it
    my boss wants a summary by friday
    i need this translated into french
    i want the table sorted by date
    what if my flight is cancelled
    i love it!
    i hate this bug
    let me check
    i have no idea
    we are not getting anywhere with this
    my bad, i meant the other file
    i sent you the wrong link
    i'm confused
    i feel like pizza tonight
    i saw a fox this morning
    i forgot what i was going to say
    my cat just walked over the keyboard
    i'm bored, tell me a joke
    i agree with the first point
    i can't believe it worked
    my answer was 42, is that right?
    i tried that already
    i'm sure it was there yesterday
    i wish i could fly
    i bet she forgot
    i hope the train is on time
    our meeting ran over
    i keep getting a 404
    my app keeps crashing
    can you book me a table
    i have no clue what this means
    i was reading about black holes
    i cant find the button
    i need help with my homework
    my essay is due, can you check the grammar
    i think the answer is b
    i'd say it's too long
    we could use a bigger font
    i'm just testing this
    i'm using the free version i guess
    i noticed a typo in your reply
    she lives in london
    the guy in the story has three dogs
    let's say i earn 50k, how much tax
    suppose my flat is 60 square metres
    what would happen if i quit
    i'm not asking about that
    i meant the second one
    i appreciate it
    i'll get back to you
    i need it in pdf
    i have two questions
    i keep forgetting what you said
    my connection dropped
    i've read that coffee is bad
    people say i should invest
    my teacher says the earth is warming
    i'm almost there
    i don't like this version
    i like the first one better
    i want something shorter
    i'm happy with that
    i'm in the middle of something
    we talked about this already
    i heard it's going to snow
    i got the same result
    i can see it now
    my guess is 12
    i could eat a horse
    i can't log in
    i'm getting a 500 error
    i have a bug in my code
    i don't get it
    i never said that
    i was asking about the other one
    my question was about taxes
    my mistake
    my computer is slow today
    my wifi is down
    i need a break
    i want to know how it works
    i'd like a summary
    i would like to know the capital of peru
    i'm thinking of getting a dog
    i might move to spain
    maybe i'll try yoga
    i wonder if my boss knows
    if i were you i'd sell
    what if i am allergic
    do i have to take my pills with food?
    should i keep chickens?
    can i keep bees in my garden
    he told me he was sick
    my friend has diabetes
    my colleague says python is slow
    the doctor in the film told her to rest
    the kids in the story go out every night
    nobody knows the answer
    i need to be there by ten, how long does it take
    i have to be honest with you
    i must say that was good
    i should go now
    i need quiet time to think about your answer
    i don't trust this answer
    i don't believe you
    i don't care for this version
    i want all of them
    i want all dates in this table changed
    i said no
    i said yes to that already
    short answer: no
    short messages are harder to write
    anything but that
    i always forget what this is called
    i've never had this error
    i've never seen that before
    i've never been so confused
    i paid off the wrong one, sorry
    i did my best
    i did my homework already
    that gives me a headache lol
    this gives me nightmares, the regex i mean
    the code i use is below
    the link i use is broken
    the baby in the picture is cute
    there are three of us in the meeting
    has my order shipped
    i feel sick today
    i'm home
    whats the capital of mongolia
    im so tired right now
    can you make that shorter
    i'm on the bus, signal is terrible
    lol that was a good one
    how do i get candle wax out of a tablecloth
    i think you misread the second paragraph
    suppose i had a million pounds, how would i invest it
    write me a poem about a lonely lighthouse
    i dont get this line, why does the loop stop early
    good morning! how are you
    my coffee's gone cold again ugh
    the third sentence sounds clumsy, fix it
    what time does the sun set in reykjavik in december
    i'm just waiting for the kettle to boil
    if i were a pirate what would my ship be called
    they say the bridge might close next year
    thanks that's perfect
    i asked for a table and you gave me a list
    is it true that goldfish have no memory
    ok one sec someone's at the door
    my screen froze for a minute there, what did you say
    translate this into spanish: where is the nearest pharmacy
    we got cut off, carry on please
    i'm hungry, entertain me for five minutes
    who won the world cup in 1974
    the function returns none when the list is empty
    i'm bored
    tell me a joke about accountants
    you already said that
    can we go back to the previous version
    i didnt mean that, i meant the other table
    imagine i'm the king of a tiny island and write my speech
    how many grams in an ounce
    i feel a bit sleepy after lunch
    some people think pluto should be a planet again
    whats the difference between affect and effect
    i cant find the button you're talking about
    that recipe looks nice
    once upon a time there was a girl who could talk to foxes, continue the story
    my typing is awful today sorry
    please check this paragraph for typos
    i wonder how birds know where to fly
    we're stuck in traffic, tell me something interesting
    is there a word for the smell of rain
    the code you sent throws a type error on line 12
    i pasted the wrong text, ignore that
    how long do you boil an egg for soft yolk
    "to be or not to be" is that hamlet or macbeth
    i'm in the queue at the post office and its not moving
    explain inflation like im five
    hmm not sure about that answer
    let's say i lived on mars, how long would a day be
    my neighbour reckons it'll snow tomorrow, is that likely
    can you summarise the article below
    it's raining again
    i'd rather see the middle example first in this list, swap them
    what rhymes with orange
    haha you're funny
    i think the title needs a comma
    how far is the moon
    my phone's at 3 percent so be quick
    why do cats purr
    in my story the detective is called Ramona and she lives in lisbon, write chapter two
    i just sneezed four times in a row
    which is heavier a whale or a lorry
    could you say that again in simpler words
    we lost the thread here, where were we
    the answer to question 4 is wrong
    i heard on the radio that chocolate prices are going up
    whats a good synonym for important
    i'm about to hop in the shower, will read this after
    does vinegar kill mould
    my eyes are glazing over, that's too much text in one go
    so what happened to the dinosaurs
    i can see the picture now thanks
    give me ten names for a dragon
    if my character was left at the altar how would she react
    i can't open the link you gave
    what does idk mean
    nice weather out there
    i laughed out loud at that
    rewrite this in a formal tone: hey can u send the stuff
    we seem to be going in circles on this bug
    how do planes stay up
    an old joke: i used to be a banker but i lost interest
    i'm sitting in the waiting room with nothing to read
    is 91 a prime number
    you spelled necessary wrong
    i need a minute to think about what you said
    the minister claims taxes will fall, explain what he means
    my stomach's rumbling lol
    convert 30 miles to kilometres
    what if i were invisible for a day
    i've read your answer twice and still dont follow it
    why is the sky blue
    and the second one?
    i'm yawning so much
    do penguins have knees
    we could try the other sorting method here, what do you think
    please put the variables in alphabetical order
    i swear this printer is haunted today
    how do you pronounce worcestershire
    my bad, hit enter too soon
    say something nice
    i like the second draft of this letter better than the first
    whats 15 percent of 240
    i'm freezing, someone's left the window open
    "i have a dream" who said that and when
    what should the villain say when the hero turns up late
    i see what you did there
    can an octopus feel pain
    i was kidding
    there's a typo in your last message
    my ears are still ringing from that fire alarm just now
    how are crayons made
    i'm on hold with some call centre and the music is dreadful
    pretend i'm your boss and you want a raise, what do you tell me
    we're nearly done, just the last paragraph left to fix
    ok bye for now
    when was the eiffel tower built
    hang on i dropped my pen
    does bread freeze well
    i'm out of breath, just ran up the stairs
    no the other way round
    could you draft a polite complaint to a hotel about noise
    i feel like singing today
    make the heading bold
    what would happen if i swallowed a cherry stone
    there's a fly buzzing round my head, so annoying
    hello again
    i mean the left column not the right one
    can bats see in the dark
    my train's ten minutes late
    write a limerick about a goat from peru
    oops wrong window
    i reckon your maths is off there, check the total
    how do you fold a paper crane
    lets pretend i'm a wizard and you're my apprentice
    the paper says interest rates could drop
    i'm just scrolling while the ads are on
    what's the plural of octopus
    your answer got cut off halfway
    we missed a bracket in that formula
    say i found a wallet with a thousand dollars in it, what's the law
    my tea is too hot to drink
    define serendipity
    i dont understand the question in this quiz: which of these is a mammal
    a man walks into a bar and says ouch, get it
    wow that was fast
    i've got hiccups, make them stop
    are tomatoes fruit
    list five rivers in africa
    my brain is mush this afternoon
    what's the shortcut for undo
    you can skip the introduction in this one
    i typed it exactly as you said and it printed zero
    who painted the girl with the pearl earring
    it's so windy, the bins are rolling down the street
    we're at the red light, read it out quickly
    how does yeast work
    i'm kind of grumpy this morning
    the critics say the film is far too long
    what comes after a trillion
    i clicked yes, now what
    remove the last two rows from the table
    my hands are sticky, dictating this one
    could a human survive on venus for a second
    in the novel the narrator says "i was born in a thunderstorm", is that a metaphor
    hmm
    i see three errors in this sentence, do you
    when do swallows migrate
    you're welcome i guess
    let me scroll up and check what you wrote
    turn this list into a paragraph
    i'm dying of boredom in this meeting
    how much is 50 dollars in yen
    my cursor keeps jumping about in this document
    what do you call a baby kangaroo
    if we had three arms how would shirts look
    i like how you phrased that bit
    tell me about the aztecs
    someone online wrote that the earth is hollow lol
    is the second argument optional in that call
    i'm watching the rain come down
    ok try again but funnier
    what does the red symbol on a map mean
    i might have copied the wrong cell, one moment
    how do fish sleep
    we only need the top three results in this one
    can you act like a grumpy librarian
    my sandwich just fell on the floor, classic
    what is the opposite of nostalgia
    the parser chokes on the second quote mark
    i'm at the checkout, whats the cheapest cut for stew
    never mind
    suppose my robot falls in love with a toaster, write the scene
    which planet has the most moons
    i nearly fell off my chair laughing at that
    paraphrase the following: the cat sat on the mat
    i'm not convinced by your second point
    was napoleon really short
    dear diary, today i slew a dragon, carry on in that style
    is it me or is this page loading slowly
    i spilled my juice AND my shoelace snapped, what a morning
    how hot is lava
    change the colour of the bars in this chart to grey
    i just lost this level again, any trick to get past the spiders
    explain the offside rule
    my battery died so i missed your reply, send it again
    the professor in the video thinks that time is an illusion
    what's for dessert in a typical greek meal
    i'd never have guessed that answer
    add a comma after however
    we're just killing time before the film starts
    why do onions make you cry
    if i won the lottery tomorrow i'd buy a castle
    how many bones in a hand
    sorry my thumb slipped
    what is the longest word in english
    i'm soaked, the rain caught me without a coat
    that isn't what the error message says
    can you give me a riddle
    i think therefore i am, who came up with it
    do ants sleep
    my mouth is on fire from this curry
    shorten the second bullet
    i still see the old version of the file, did you save it
    what would a caveman think of a microwave
    it's getting dark outside
    i'm at the airport, gate changed twice already
    name a song with rain in the title
    we've been over this bit three times now, just print the final version
    how do magnets work
    i'm all ears
    some folks believe breaking a mirror is bad luck
    are you a robot
    i was about to say the same thing
    which knot holds best on a slippery rope
    my poem's second verse doesn't scan, can you mend it
    how do i get red wine out of a carpet
    can i freeze cooked rice
    is it ok to run two washing machines off one tap
    why do cats knead blankets
    how long should i boil an egg so the yolk stays runny
    What's the difference between a lease and a licence
    do you know when the clocks go back in europe
    who wrote one hundred years of solitude
    translate this to italian: where is the nearest pharmacy
    write me a limerick about a goose
    make it shorter
    give me ten synonyms for happy
    summarise the text below in three lines please
    can you fix the commas in this paragraph
    explain recursion like im five
    i need a word that rhymes with orange
    i want you to make the second paragraph a bit more formal
    sort this list alphabetically: plum, apple, fig, date
    im so tired today
    on the bus, give me a sec
    my hands are freezing lol
    i've just had lunch
    waiting for the kettle
    i'm a bit hungry, whats quick to make with two eggs
    my battery's at 4 percent, be quick
    stuck in traffic, tell me something funny
    we're sat in the waiting room, bored
    i cant find my glasses again, anyway where were we
    that's not what i asked
    thanks that worked
    i dont understand your last answer
    you've misread my question, i said north not south
    i like the second version of this sentence better
    ok got it
    i think you missed a step there
    hmm, i'm not sure that's right, check the sum again
    my last message got cut off, ignore it
    we were talking about volcanoes, go back to that
    got an error on line 42
    still getting a null pointer when i click submit
    ran it again and it hangs at the same place
    my loop never ends, what's wrong with it
    i renamed the variable but it still says undefined
    updated the draft, have another look
    the tests pass now
    i get 404 when i open the link you gave
    pasted the wrong file, here's the right one
    we have a merge conflict in the readme, how do i resolve it
    suppose i had a million dollars, how'd i invest it
    if i were a vegetarian what would i eat in mongolia
    let's say my car broke down in the desert, what do i do first
    imagine we lived on mars, how long would a year be
    what if my boss was a robot
    say i have 3 kids and 14 apples, how many does each get
    if my flight were cancelled would i get money back under eu rules
    assume i earn 50000 a year and save 10 percent, how much is it in 20 years
    pretend i'm a knight and you're my squire
    hypothetically if we moved to norway which town has most sun
    my character is a pirate called Blackthorn who's afraid of water
    in my story the detective has a twin brother in Prague, is that a cliché
    "I was born in a storm and raised by wolves" continue from there
    write as an old sailor: i lost my leg at Trafalgar
    once upon a time there was a baker who couldn't smell, go on
    the dragon in chapter two should die earlier
    you be the shopkeeper, i'm the customer: hello i'd like a pound of cheese
    my elf casts fireball on the goblins
    make the villain say i never loved my kingdom
    in the scene she says my father's a judge, is it too blunt
    people say coffee stunts your growth, true?
    my neighbour thinks the moon landing was faked lol
    i read that octopuses have three hearts
    the papers say it'll be a hot summer
    some guy on the radio said bananas are berries
    i heard somebody claim that glass is a liquid
    they reckon the bridge will be open by noon
    my taxi driver says the fastest way is always the ring road, haha
    economists think rates may go down, what's the argument
    a woman in the queue told me goldfish remember for months
    i told my plants a joke and they didn't leaf me alone haha
    "My kingdom for a horse" is from which play
    good morning
    how are you doing today
    lol
    i'm basically a potato today haha
    to be or not to be, whats the next line
    my bed and i are in a serious relationship lol
    nice weather eh
    the third sentence sounds odd
    i've changed the title, is it better
    my paragraph is too long isn't it
    added a comma after however, right?
    the table you made has a column missing
    i put the numbers in the second sheet, can you see them
    removed the intro, reads better now
    i count 311 words, need to get to 300
    this poem feels flat in the middle
    we could swap the two headings maybe
    i just sneezed all over the keyboard
    its raining here
    my tea's gone cold
    brb
    i was about to ask something and forgot what
    someone's at the door, wait
    i've been staring at this for an hour
    my head hurts a bit, too much screen
    we've just sat down to watch the film, dont spoil it
    yawning so much, one last question, why do we yawn
    is my grammar right in this: he don't know nothing
    can i use baking soda instead of baking powder
    tell me a fact about snails
    what should i watch tonight
    i wonder why the sky is darker in the mountains
    my calculator says 7.2 and you say 7.4, who's right
    clicked the button, nothing happens
    tried what you said, same result
    i can't open the attachment
    convert 60 miles to km
    which planet spins the wrong way
    whats the boiling point of ethanol
    should i put tomatoes in the fridge or not
    does a cactus need sun all day
    how come the sea's salty and lakes aren't
    Where does the word sandwich come from
    can we see the milky way with the naked eye
    how do you pronounce quinoa
    what year did the berlin wall come down and why
    am i allowed to take scissors on a plane
    draw up a quiz on rivers, ten questions, with answers
    proofread this: the cat sat in the matt
    another one please
    turn this into a table
    give me the same thing in french
    i'd like a haiku about rust
    let me have three titles for this piece
    read me the ingredients again from the top
    shorter pls, two lines max for this one
    can you pick a random number between 1 and 50 for me
    ugh monday
    in the lift, lost you for a moment
    i'm sweating buckets, this heat
    just got off the phone, ok go on
    my toast is burning hold on
    half asleep here
    i'm in the queue at the post office, so quickly, whats a good riddle
    feeling a bit meh this afternoon
    my feet are soaked, what a downpour
    we're out of milk, going down to the corner shop
    no no the other one
    wait i meant the first question
    perfect, cheers
    i asked for five and you gave me four
    you already told me that a minute ago
    lemme try it, one sec
    that went over my head, once more please
    i see what you mean now
    sorry, my typo, i meant bread not beard
    we seem to be going round in circles here
    segfault again
    my regex matches too much, how do i make it lazy
    deployed the fix and the page is still blank
    i commented out that line and now it compiles
    build's red, says missing semicolon
    it prints the list twice, no idea why
    restarted the server, no luck
    i'm getting a type error from the third argument
    my query returns zero rows but the table isn't empty
    reverted your last change because it broke the header
    if i won the lottery would i have to pay tax on it in spain
    supposing we had no moon, would there be tides
    let's imagine i'm the mayor of a town of 500 people, what's my first job
    what would happen if i ate only carrots for a year
    say my grandmother left me a castle, could i legally charge for tours
    were i a swift, could i sleep while flying
    for the sake of argument let's say i'm against zoos, argue with me
    If my train left at 3 and yours at 4 at twice the speed, when do you catch me
    take a guy who's 40, smokes, has two kids, what'd his insurance cost roughly
    would i weigh less if i stood on top of everest
    I am Zorgon, ruler of the seven moons, kneel human
    let's play, i'm the doctor and you're the patient with a cough
    my hero needs a flaw, maybe he's vain
    next chapter: Lady Ashby finds out her son married the gardener
    in the sketch i say my wife's run off with the milkman and the crowd laughs
    continue: i woke up and the city was gone
    the robot in the story gets sad when it rains, write that bit
    i open the chest and take the golden key, what happens
    my wizard's level 4 and he wants to buy a donkey
    give the queen a line like i've buried three husbands
    apparently elephants can't jump, is that so
    my hairdresser reckons lemon juice makes hair grow
    the guy in the video says sugar is worse than salt
    i saw online that honey never goes off
    according to the BBC the comet'll be visible all week
    scientists believe the core is iron
    some bloke at the pub swore he saw a puma on the moor haha
    i've seen people claim you can charge a phone with an onion
    critics hated that film, why
    rumour has it the next season is the last one
    i used to be a banker but i lost interest, get it? haha
    "i came i saw i conquered" what's the latin
    who said "I think therefore I am"
    hiya
    happy friday!
    haha nice one
    i'm on a seafood diet, i see food and i eat it lol
    my wallet is like an onion, opening it makes me cry haha
    "call me ishmael" is the first line of what
    what's up
    i swapped paragraphs two and three, flows better?
    the ending's too sudden
    my conclusion repeats the intro, right
    cut the last line, what d'you think
    i've typed it all out again below, spot any mistakes
    that chart has the axes the wrong way round
    fixed the spelling in the heading
    we've got two full stops there at the end
    the word very is in there six times
    i'm stuck on the opening sentence, give me some options
    just spilled juice on the desk
    my pen's run out
    afk
    i can hear the ice cream van
    had to reboot, back now
    i've got hiccups, any quick trick
    foggy out there this morning
    my mind's gone blank, what's the word for fear of spiders
    hang on, dropped my phone
    i'm laughing so much at that answer
    i was wondering how submarines get fresh air
    is there a shorter word for approximately
    what's 15% of 240
    should we say fewer or less apples
    did the download, zip won't open
    i don't get the joke
    my spreadsheet shows #REF in column D, why
    copied it over, looks weird with the indents
    list the moons of jupiter, the big four only
    can't see any picture in your reply
    i'm so tired right now
    got an error on line 12 again
    my bus is late ugh
    lol thats hilarious
    i think your second answer was better than the first
    how long do you boil an egg
    if i won the lottery i'd buy an island
    once upon a time i was a dragon who lived under the library, carry on the story
    i dont understand the last paragraph
    pasted the wrong file sorry
    we've got a merge conflict in the second function, fix it
    what would happen if my neighbour was a vampire haha
    my coffee's gone cold
    translate 'my brother is a doctor' into french
    sitting on the train with nothing to do, tell me a fun fact
    my screen just froze for a sec
    can you check the spelling in this sentence
    he who hesitates is lost, who said that
    tried your fix, still the same message
    suppose i lived in Alaska, what would i need for winter
    write a poem about rain
    some guy on the radio said coffee is bad for you
    im in the queue at the shop be quick
    my last message got cut off
    what's 17 percent of 340
    ran the script and nothing printed
    knock knock
    i meant the other column
    "i have a dream" whats the rest of the speech
    we were on point three of the list, continue
    list ten words that rhyme with moon
    imagine i'm a pirate and you are my parrot
    my stomach is rumbling lol
    could you explain how tides work
    i cant see the picture you mentioned
    deleted the comma, does it read better
    is it going to rain in cork tomorrow
    it's so noisy in here right now
    my question was about the second table not the first
    give me a synonym for happy
    i'm waiting for the kettle
    say hello in Swahili
    in my story the hero says 'my father was a king', is that too cliche
    how do i get wine out of a carpet
    oops hit send too early
    i'd love it if dinosaurs were still around haha
    what does 'i am the walrus' mean
    renamed the variable, now it complains about types
    can u summarise this article for me
    we lost the thread a bit, where were we
    my hands are freezing rn
    who won the world cup in 1998
    sounds good
    i guess that makes sense
    what if my car could fly
    convert 5 miles to km
    the code you gave me has a bracket missing
    yawning my head off here
    my cousin reckons the moon landing was faked lol
    is a tomato a fruit
    moved the heading up, better or worse
    i need a rhyme for orange
    let's pretend i'm the customer and you are the waiter
    haha good one
    my sentence sounds clunky, fix it
    what time does the sun set in june in edinburgh
    got it, next step please
    the article says sleep is good for memory
    i feel a bit silly asking this, but how do magnets work
    dont get the joke
    we should be at row 40 now, right
    make the tone of this letter friendlier
    stuck at a red light, talk to me
    what are the rules of cricket
    if i had a million followers would i be rich
    my copy paste isnt working in this window
    test test 123
    write a limerick where i marry a goat
    added the missing quotes and it compiles now
    i'm hungry, quick snack idea with eggs
    can you say that again but simpler
    they say an apple a day keeps the doctor away
    my summary is 300 words, cut it to 200
    ok lets go on
    reading your answer now, hang on
    'my kingdom for a horse' is from which play
    we need a title for this text, something snappy
    i wonder whether fish sleep
    a siren just went past, couldn't hear a thing
    what's the difference between affect and effect
    let's say i earned 50k in texas, how much tax would that be
    got lost in your explanation at step 3
    im back, was just at the door
    draw me an ascii cat
    my table has two header rows now, is that your doing
    she said he said, what a confusing scene in chapter two
    what's a good name for a fictional wizard
    cant hear myself think in here
    i typed it exactly like you said and got a blank page
    how deep is the ocean
    my battery's at 3 percent, quick, how do i dial abroad
    why did the chicken cross the road
    we're on page two of the document, aren't we
    rewrite it in the past tense
    swapped the two paragraphs like you suggested
    tell me about the roman empire
    in this role play i'm a widowed baker from Ghent, you start
    never mind, found it
    how far is it from rome to naples
    phew what a day
    the second option reads weird to me
    just restarted the server, still a 502
    i'll be right back
    if i were a tree i'd be a willow lol
    could you put that in a table
    my mind's gone blank, what was the word for fear of spiders
    haven't read your reply yet, one sec
    which is heavier, a kilo of feathers or a kilo of lead
    my prompt was unclear, let me rephrase
    tell me a bedtime story about a hedgehog
    we forgot the closing tag in that snippet
    does hot water freeze faster than cold
    changed the font to arial, what do you think
    in the dream scene i'm flying over paris, make it more vivid
    nice one cheers
    hypothetically, if my wife were a spy how would i know
    people say the earth is getting warmer, explain
    im stuck on question 4 of the quiz
    my regex matches too much, why
    saw a funny pigeon just now
    write me a haiku about traffic
    i didn't ask for a list just now, only one example
    who painted the night watch
    got a popup saying disk full, what does that mean
    that's not what i meant
    we're going round in circles with this bug
    my hair's still wet from the rain lol
    proofread the following please
    some people think pineapple belongs on pizza
    is there life on mars
    pretend i'm a 90 year old sea captain and answer as my first mate
    i see, and what comes after that
    forgot to attach the spreadsheet, here it comes
    my paragraph starts with however twice
    its freezing in this waiting room
    can you count to ten in korean
    i laughed so hard at that
    say i owned a castle, how would i heat it
    explain photosynthesis like im five
    removed the import and the tests pass
    you're funny
    my function returns none instead of a list
    what's the tallest building in the world
    i was about to ask the same thing
    the main character says 'i've got two sons and a farm', make him sadder
    which verb is right here, lie or lay
    we've done step one and two, go on
    my eyes hurt from staring at this screen
    how many teaspoons in a tablespoon
    what a weird error
    hm not sure i follow
    give me five names for a made up planet
    my query times out after ten seconds
    i'm halfway through your text, it's good so far
    when was the printing press invented
    a bloke at the bar told me sharks dont get cancer, true?
    in a parallel universe i'm the queen of france
    typo in my last line, i meant september
    quote me something by oscar wilde
    no idea what happened there, the page went white
    what's the weather like in Oslo today
    translate: we have lived here for ten years
    i need this text in one sentence
    how do vaccines work
    my tea's too hot to drink
    fixed the indentation, same traceback
    why do we yawn
    two parrots walk into a bar...
    i pressed enter by accident
    let's try another approach to the layout
    are bananas berries
    my intro is boring, spice it up
    one of the reviewers says the plot is thin
    just got off a call, give me a minute
    could i theoretically outrun a crocodile
    what does the abbreviation etc stand for
    we cant both be right about that comma haha
    how would my life look if i were born in 1500
    stop, that's enough
    i scrolled up and saw you already answered this
    spell necessary
    suggest a title for the slide about rivers
    my cursor keeps jumping around, so irritating right now
    fair enough
    who wrote the song 'my heart will go on'
    line 3 contradicts line 9 in your answer
    i'm just killing time until the film starts
    compare bubble sort and quicksort
    tried it in firefox as well, no luck
    let me guess, it was the cache
    my villain needs a motive, ideas?
    is it spelled grey or gray
    what on earth is a quark
    i wish i could teleport
    can we do the second half now
    merged the two cells and lost the formula
    the newspaper claims chocolate makes you smarter
    my code block isnt showing up properly in your reply
    anyone there
    roleplay: i'm a knight, my horse is called Thunder, you're the innkeeper
    feeling a bit sleepy after lunch
    what year did the titanic sink
    we had eleven bullet points before, now there are nine
    how do bees make honey
    i mixed up the x and y axis in that plot
    ha, you got me there
    assume my company had 500 staff, which laws would apply in france
    whats another word for nevertheless
    shortened my abstract, is it under 150 words now
    sorry leaned on the keyboard asdfgh
    make me laugh
    my head is spinning from all these formulas
    is zero an even number
    got an error when i ran it
    on the bus, talk later
    my code doesn't compile, line 12 says missing semicolon
    if i won the lottery i'd buy an island, what would one cost
    lol thats a good one
    how do you get candle wax out of a tablecloth
    people say pluto should be a planet again, do they
    i dont understand your second point
    write a poem about a lighthouse in the fog
    hello there hows it going
    i tried what you said and it still gives the same number
    why is the sky orange at sunset
    translate good evening everyone into japanese
    my screen just froze for a second, say that again
    suppose i were a pirate, what would my ship be called
    whats 18 percent of 245
    I think you missed a bracket in the last function.
    the second paragraph reads better than the first
    thanks thats perfect
    hungry, what can i make with two eggs and an onion
    we need a better title for this paragraph
    who wrote the count of monte cristo
    i meant the other file not that one
    the economist says rates will come down next year
    give me five synonyms for quick
    my query returns zero rows, why
    just got in, its pouring outside
    tell me a joke about penguins
    he said to the king i've lost my horse and my sword, continue the story
    pasted the wrong text sorry, here's the right one
    Is it better to boil or steam broccoli?
    i'm bored say something funny
    convert 300 fahrenheit to celsius
    I liked the first version more, go back to that
    what does ad hoc mean
    my tests pass now but the linter complains about an unused import
    could you check the grammar in this sentence: my brother have two cars
    waiting in a queue, entertain me
    to be or not to be, who says that again
    we're getting a 404 on that link you gave
    explain how a fridge works
    i'd move to mars if they let me haha
    make a table of the planets and their moons
    ran it again and now the output is empty
    the sum in column c is wrong
    i'm stuck on this crossword, seven letters, river in france
    which is heavier a tonne of bricks or a tonne of feathers
    cant hear you well theres a drill outside
    what time is it in sydney right now
    do my eyes deceive me or did you just spell necessary wrong
    write a dialogue where a widow tells her son i am selling the house
    my head's spinning from all these numbers
    how many players in a rugby team
    nope still wrong
    let me read that and get back to you in a minute
    is there a word for fear of long words
    my last message got cut off, here's the rest
    summarise the article below in three lines
    deleted the loop and it works now
    could you put that last bit in simpler words
    What's the difference between a crocodile and an alligator?
    the news says theres a storm in the atlantic
    i need a rhyme for silver for this verse
    how long do you boil a goose egg
    sitting on the train staring out of the window
    in the film the detective says i never liked my father, what film is that
    can you add a comment above each function
    we should rename this variable, it's confusing
    oh wow i had no idea octopuses had three hearts
    forgot the closing tag, fixed it
    imagine i have three apples and give you one, how many do i have
    my cursor keeps jumping to the end of the line in this box
    generate a random password with 16 characters
    sorry typo i meant public
    what are good names for a dragon in a kids book
    i'm yawning so much today
    whats the plural of octopus
    removed the last two slides, does the order still work
    some guy online claims the moon is hollow
    how do i undo the last commit in git
    my sentence sounds clumsy, can you fix it
    does honey ever go off
    just finished lunch, where were we
    list the first ten prime numbers
    we got different results from the two formulas, which one is right
    i wonder why cats purr
    rewrite the email so it sounds friendlier
    what if i were twenty metres tall, could i still walk
    brb someone's at the door
    whats a good substitute for buttermilk
    as the song goes i left my heart in san francisco, who sang it
    my loop runs one time too many
    Tell me about the history of chess.
    cold in here today brrr
    check if this json is valid
    i can't see the picture you mentioned
    the button on the page in your mockup is off centre
    how tall is the eiffel tower
    tried it with and without the flag, no change
    could we try that again but in a table this time
    my goodness thats a long number
    a man walks into a bar and says my wife's a mermaid, finish the joke
    copied it into the terminal and nothing happened
    are tomatoes a fruit
    i'll wait while you think
    they say an apple a day keeps the doctor away, is it true
    write a short scene with a robot who says i was born in a factory in osaka
    we lost the thread a bit, what was step two
    any idea how bread rises
    ugh what a day
    that link is dead
    getting a timeout on the second request now
    i'm standing in line at the post office, quick one, how many grams in an ounce
    my regex matches too much, what am i doing wrong
    say i had a million dollars and put it in at 4 percent, what's it after a year
    haha brilliant
    What's the boiling point of ethanol?
    according to the papers the minister will resign
    i lost you at the bit about eigenvalues
    draft a haiku about rain on a tin roof
    swapped the two paragraphs, does it flow
    followed your steps and the page is still blank
    how come leap years exist
    whats thank you in swahili
    my mic was off, i'll say it again
    lets pretend i'm the mayor of a town made of cheese
    divide 9876 by 12 for me
    i reckon theres an off by one in your slice
    the ending is a bit flat, the opening is great
    cheers, that did the trick
    peckish, whats a quick snack with crackers
    we could cut this chapter in two, what do you say
    no no i was talking about the other table, the one with the dates
    my horoscope says today is a lucky day lol
    give me an antonym of generous
    my chart comes out upside down, how do i flip the axis
    phew just climbed the stairs, out of breath
    do you know any riddles
    continue: i was born on a ship, said the old sailor, and i'll die on one
    oops sent too early, ignore that
    which burns longer, oak or pine
    i've got nothing to do for ten minutes, quiz me
    how many miles is 42 kilometres
    I'm happy with that version, leave it.
    installed the package and now it says module not found
    is this right: me and him was going to the shops
    stuck in traffic, what's a good question game
    which play has the line my kingdom for a horse
    we have two versions of this paragraph now, which is cleaner
    i could eat a horse right now
    put these words in alphabetical order: pear, fig, apple, quince
    reran the script, same warning as before
    night night
    the total at the bottom doesn't add up
    i can't think of the word, its like a bridge for water
    if a train leaves at nine and goes 80 an hour where is it at noon
    it's so noisy in this cafe right now
    whats the exchange rate for yen today
    did i read that right, a jellyfish with no brain
    write me a monologue for a baker who says my wife left me in the spring
    my brain is fried right now
    how many strings does a harp have
    try again
    hang on, reading it
    you be the dragon and i'll be the thief, start
    what do you call a group of owls
    my paste lost the line breaks, here it is again
    tldr of the text above please
    commented out the import and it runs
    what did you mean by idempotent
    i see, okay, makes sense
    butter or oil for frying eggs
    experts on tv are arguing that coffee's good for you
    i want this stanza to end on a softer word
    how do you fold a fitted sheet
    sat on a park bench watching pigeons
    in that novel the narrator says my mother died today, which novel is it
    sort the rows by the third column
    we've gone round in circles with this bug, let's start from the top
    well i never, bananas are berries
    When did the Berlin Wall come down?
    changed the colour to teal, looks better
    assume my salary is x and my rent is y, write the formula for what's left
    my browser wont scroll down to the bottom of your answer
    pick a number between one and fifty
    autocorrect again, i meant kernel not colonel
    aw thats sweet of you
    invent three names for a haunted inn
    my coffee's gone cold while i read all this
    is it who or whom here: the man who i saw
    trimmed the intro to two sentences, too short?
    a bloke at the bar swears goldfish remember for months
    how do i list hidden files on linux
    my opening line is weak, sharpen it
    can snakes hear
    back now, carry on
    name the great lakes
    we're both reading the same formula and getting different units, which is it
    i was just thinking, do fish sleep
    turn this into a polite refusal
    what would happen to me if i fell into a black hole
    i doubt that, check again
    one sec, kettle's boiling
    what goes with roast parsnips
    who sings i still haven't found what i'm looking for
    my recursion never stops
    give me a short history of paper
    sweating buckets, its boiling today
    validate this yaml for me
    i only see half of the diagram
    the legend on your graph covers the line
    how deep is the mariana trench
    cleared the cache, reloaded, no luck
    shall we do the next exercise
    why do stars twinkle
    my my, that's a big prime
    knock knock, i'm your uncle from the moon, write the punchline
    typed it exactly as shown and it says permission denied
    is a spider an insect
    i'll be quiet, you go on
    the proverb goes my house is my castle, is it english
    make up a letter from a soldier in 1916 telling his girl i'm coming home in june
    we skipped question four, do that one now
    Can you write a letter to my landlord about a broken window?
    What's the usual dose of metformin for adults?
    I'm on the train right now, so the connection is a bit patchy.
    How do I ask my boss for a raise without sounding greedy?
    Thanks so much, that was exactly what I needed!
    If I lived in Tokyo, how much would a one-bedroom cost me?
    Translate this into French: "My brother lives in Montreal and works as a baker."
    i'm so tired today, couldn't sleep at all
    Peanut allergies affect roughly one to two percent of children.
    Make the second paragraph shorter and drop the bit about the passport.
    The minister said yesterday that she would cut taxes for nurses.
    Should people with celiac disease avoid oats as well?
    I think the third version sounds better than the first.
    Give me ten names for a female beagle.
    Suppose my salary were 50,000, what would the tax be in Ohio?
    where do most people hide their spare key?
    I'm just waiting for the kettle to boil, one sec.
    In the novel, the narrator's mother dies on his tenth birthday.
    Could you proofread the speech for the wedding below?
    I don't understand the last step, could you explain it again?
    A colleague told me that the printer on floor two is jammed again.
    What should I write in a birthday card for somebody who's turning 40?
    I need a polite way to say no to this invitation.
    Let's imagine I'm a pirate and you're my parrot.
    Cats generally sleep between twelve and sixteen hours a day.
    My phone's at four percent so please keep this one quick.
    Which bank has the best savings rate at the moment?
    I've read your answer and I have one more question.
    Draft an email to a tenant who is two months behind with the rent.
    The guy in the film keeps his passport in a freezer bag, which made me laugh.
    Explain like I'm five how mortgages work.
    hmm i'm not sure that's right, can you check the second figure again
    It's raining cats and dogs out there this morning.
    Fill in the template with "I was born in [CITY] in [YEAR]".
    I'd like the table sorted by date, please.
    "I have a dream" is probably the most quoted line of that speech.
    What happens if someone loses their passport abroad?
    I was wondering if you could help me with a formula in Excel.
    Write a short story in which a girl says: I live under the sea with my nine sisters.
    Einstein worked at the patent office in Bern before he became famous.
    Do I have to declare a gift of 5,000 euros from a grandparent?
    I'm standing in the supermarket and can't find the tahini, which aisle is it normally in?
    Say my dog ate one grape, would that be dangerous?
    The weather app says it'll clear up by four.
    Could you turn my bullet points into a proper paragraph?
    how long do you boil an egg if i want it runny
    I hope you're having a good day!
    Someone at the bus stop was telling everybody about his divorce.
    Write a sample diary entry that begins "I moved to Berlin when I was twenty".
    My coffee's gone cold while I was reading all that.
    What are the side effects of ibuprofen on an empty stomach?
    I meant the other column, the one with the prices.
    The old proverb says that the early bird catches the worm.
    If somebody earns minimum wage, can they still get a mortgage?
    I'll be back in ten minutes, just grabbing lunch.
    Compare life insurance with a pension plan in a table with three columns.
    Compose a limerick about a plumber who lost his keys.
    Is it rude to ask your neighbour what they pay in rent?
    The customer wrote: "I've been with your bank for twenty years and I'm disappointed."
    I'm bored, tell me something funny about penguins.
    Rewrite the sentence "I am allergic to cats" in the passive, if that's even possible.
    Sorry, I pressed enter too early.
    What does it mean when a contract says "jointly and severally liable"?
    I've just pasted the text, let me know when you've read it.
    Penicillin was discovered by Alexander Fleming in 1928.
    would you rather live in a city or by the sea?
    Pretend I'm your patient and ask me about my symptoms.
    The article claims that most Danes cycle to work, even in winter.
    I can't open the file you sent, it says the format is unknown.
    Can vegetarians get enough iron without supplements?
    That joke made me laugh out loud, I have to say.
    Please shorten my cover letter to 200 words and keep the tone.
    My stomach's rumbling, I think it's time for a sandwich.
    Who looks after the kids in the book after the father leaves?
    He said, and I quote, "I owe the bank nothing".
    I'm stuck on question four of the worksheet, what's the derivative of x squared?
    How do you calculate net salary from gross in Spain?
    There's a typo in line six, it should say Tuesday.
    I guess you're right, let's go with the blue one then.
    Create a dialogue between a dentist and a nervous child for an English lesson.
  `,
);

/** The same in Chinese, in whole sentences. */
export const BY_OTHERS_CHINESE = labelled(
  `
    pdcf 我住在杭州西湖区文三路，离地铁站走路五分钟。
    pdcf 我对青霉素过敏，小时候差点出过事
    pdcf 我女儿叫朵朵，今年上小学三年级。
    pdcf 备用钥匙我放在门口鞋柜最下面那个抽屉里。
    pdcf 我妈有高血压，每天早上都要吃一片氨氯地平。
    pdcf 对了，我老公是做建筑设计的，经常要去成都出差。
    pdcf 我们家养了一只橘猫，叫胖墩，已经七岁了
    pdcf 我在招商银行开的工资卡，每个月十号发工资。
    pdcf 我房租一个月四千二，押一付三。
    pdcf 我是1988年在哈尔滨出生的，十岁才搬到青岛。
    pdcf 我不吃香菜，也受不了羊肉的味道。
    pdcf 我爸的生日是农历八月初六。
    pdcf 我还欠我表哥五万块钱，说好了明年春节前还清。
    pdcf 我护照放在书房保险柜里，密码只有我和我媳妇知道。
    pdcf 我们已经定了，国庆节去云南自驾，十月二号出发。
    pdcf 我在一家三甲医院当麻醉科医生，干了快十五年了。
    pdcf 我和我太太是2012年5月20号领的证
    pdcf 我有哮喘，包里一直带着喷雾。
    pdcf 我车停在小区地下二层，B区138号车位。
    pdcf 我弟弟在加拿大温哥华读研究生，后年毕业。
    pdcf 我从去年三月开始吃素，鸡蛋和牛奶还是吃的。
    pdcf 其实我是左撇子，不过写字从小被改成右手了。
    pdcf 我们家房贷还剩九十多万，每个月要还六千八。
    pdcf 我婆婆跟我们一起住，平时都是她接送孩子。
    pdcf 我喜欢你用简短一点的方式回答我，我不爱看长篇大论。
    pdcf 我开了一家小花店，就在苏州平江路边上。
    pdcf 我今年六十七了，退休前是中学物理老师。
    pdcf 我儿子对花生过敏，幼儿园那边我也说过了。
    pdcf 我下个月一号正式入职字节，做后端开发。
    pdcf 咱家户口本和房产证都在我妈那儿放着。
    pdcf 我有二型糖尿病，一天打两次胰岛素
    pdcf 我姐离婚以后带着两个孩子住在我家楼上。
    pdcf 我最好的朋友叫小雯，她在上海开律所。
    pdcf 我膝盖做过手术，所以跑步爬山都不行。
    pdcf 我每周三晚上去学书法，已经坚持四年了。
    pdcf 顺便说一下，我们家狗狗是边牧，怕打雷。
    pdcf 我奶奶是回族，所以我们家过年不吃猪肉。
    pdcf 我一个月到手一万三左右，另外还有点稿费。
    pdcf 我预产期是明年二月中旬，是双胞胎。
    pdcf 我打算好了，九月份把深圳的房子退掉，搬回长沙跟爸妈住。
  `,
  `
    帮我写一封给房东的信，说水管漏水了。
    青霉素过敏一般有什么症状？
    我现在在地铁上，信号不太好。
    谢谢你，你解释得特别清楚！
    把下面这句话翻译成英文：“我妈妈住在北京，是一名老师。”
    如果我月薪一万，要交多少个税？
    养猫的人一般一个月要花多少钱？
    今天好困啊，昨晚没睡好
    写一个关于给小狗起名字的搞笑段子吧。
    护照丢了应该先去哪里补办？
    鲁迅原名周树人，出生在浙江绍兴。
    第二段太长了，麻烦你删掉一半。
    刚才新闻里说明天有大雨。
    我没看懂最后一步，你能再讲一遍吗？
    假如我是一只猫，你觉得我会住在哪里？
    哪家银行的定期存款利率比较高？
    我先去吃个饭，待会儿再聊。
    糖尿病人能不能吃西瓜？
    书里的主角说：“我从小在孤儿院长大，没有家人。”
    给我列一个五天的食谱，要清淡一点的。
    俗话说，远亲不如近邻。
    我觉得第一个标题更好听，就用那个吧。
    电影里那个男的把钥匙藏在花盆底下，太老套了。
    怎么跟老板开口提加薪比较合适？
    写一段自我介绍的范文，开头是“我叫李明，今年二十岁”。
    不好意思，刚才发错了。
    高血压的标准是多少来着？
    旁边那桌的人一直在聊他欠了多少钱，吵死了。
    我正在等外卖，闲着没事跟你聊两句。
    请帮我检查一下这篇作文里有没有错别字。
    狗一般能活十到十三年。
    给五十岁的人写生日贺卡，写什么话比较好？
    要是有人花生过敏，吃了月饼会怎么样？
    外面下雪了，真好看。
    把表格按照日期重新排一下，谢谢。
    租房合同里的“押一付三”是什么意思？
    我手机快没电了，你说简单点。
    他在采访里说自己从来不存钱。
    你来扮演医生，我来扮演病人，我们练习一下对话。
    杭州和苏州哪个更适合周末去玩？
  `,
);
