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
`,
  ),
} as const;
