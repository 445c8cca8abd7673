import { labelled } from "./labelled.ts";

/** Written before the rules were measured on them, and not tuned on. */
export const HELD_BACK = {
  english: labelled(
    `
    f We're on Kingsley Road, number 14, the house with the green door.
    f I grew up on a sheep farm outside Hawick.
    f My flat is above a bakery in Antwerp.
    f I've lived in the same village since 2003.
    f I get terrible hay fever from April to June.
    f I had my gallbladder out in 2018.
    f I take 50 micrograms of thyroxine before breakfast.
    f Penicillin gives me a rash, the doctors have it on file.
    f My left knee is made of titanium.
    f I wear hearing aids in both ears.
    f Bea, my eldest, is doing a degree in marine biology.
    f My parents split up when I was nine.
    f Oskar is my stepson, he's eleven.
    f We've got twins, Ida and Nils, they're in year two.
    f My late husband was a trumpet player.
    f Our tortoise is called Herbert and he is older than me.
    f I keep three hens and a very rude cockerel.
    f The dog only listens to my wife.
    f I bring home about 2,900 a month after tax.
    f Our mortgage is with Nationwide, fixed until 2029.
    f I bank with Monzo but my savings are at ING.
    f We pay 640 for the nursery each month.
    f The spare key hangs on a hook inside the shed.
    f Passports are in the blue folder on the top shelf of the wardrobe.
    f My birth certificate is at my mum's place.
    f The fuse box is behind the coats in the hallway.
    f Dad's birthday is the 9th of February.
    f We got married on 21 June 2014 in a lighthouse.
    fc I turn 50 next March.
    f I'm a locksmith, I have my own van and everything.
    f I do payroll for a chain of garden centres.
    f I report to Helena Strand, who runs logistics.
    f I've been teaching sixth formers for twelve years.
    f I freelance as a subtitler, mostly Danish films.
    pf Cilantro tastes like soap to me.
    p I can't get enough of old Westerns.
    p Crowded beaches are my idea of hell.
    p I'd take the train over flying any day.
    p Nothing relaxes me like kneading dough.
    pf I've never been keen on musicals.
    p Keep it to two paragraphs unless I ask for more.
    p Please address my mother formally whenever you draft something for her.
    f I ride a 1998 Moto Guzzi.
    fd My phone is a Fairphone 5 and I'm not upgrading.
    f We own a narrowboat moored at Braunston.
    pf I swim before work, three times a week.
    pf Sunday evenings I ring my grandmother.
    f Everyone calls me Fitz, my real name is Fitzgerald.
    f My surname is spelled with two t's, Barratt.
    c I'm picking Leo up from the station at six on Friday.
    c I've got my driving theory test on the 14th.
    c We're flying out to Madeira on 2 January.
    d We have made the call: the shop closes at the end of August.
    dc I'm going back to my maiden name after the divorce.
`,
    `
    Could you draft a note to the school about Ida's absence?
    Where did I put the receipts?
    How much is 640 euros in crowns?
    Would I be better off leasing a car?
    Whose turn is it to cook tonight?
    If I earned twice as much, I'd buy the boat.
    Let's assume I'm a widow with two children.
    Say I had a dog, which breed would suit a flat?
    Imagine that my house burned down.
    What would happen if we moved abroad in June?
    "I was born in a crossfire hurricane" is a line from which song?
    My colleague Pete said: "I never drink on weekdays."
    He goes: I hate my job, and then he just quits.
    The heroine lives in Vienna and keeps bees.
    According to the leaflet, I should take one tablet a day.
    Correct the grammar: I has two brother and I lives in Spain.
    Put this into French: my sister is a nurse.
    Proofread the following.\\nI work as a welder and I love the sea.
    My neighbour bought a Tesla.
    A friend of mine is allergic to bees.
    The prime minister lives in Downing Street.
    Her husband works for the council.
    My boss thinks we're behind schedule.
    Their kids go to a private school.
    One of our customers is moving to Malta.
    Book me a taxi for half past seven.
    I need a synonym for 'stubborn'.
    I want a picture of a fox in the snow.
    I'd like you to compare these two offers.
    Send the invoice to Strand Logistics.
    Add oat milk to the shopping list.
    Set a timer for twelve minutes.
    I'm off to lunch.
    I'm stuck on question four.
    I've just read your last message.
    I'm shattered, what a day.
    I feel a bit sick this morning.
    I got your email, thanks.
    I tried turning it off and on again.
    I can see three tabs and none of them works.
    My browser keeps logging me out.
    My screen is flickering again.
    Our wifi has been slow all afternoon.
    My meeting got pushed back by an hour.
    I love how quickly you found that!
    I agree with the second point.
    I doubt that's true.
    I was about to say that.
    I thought it would be cheaper.
    I'm basically a professional napper, lol.
    Sure, and I'm the Queen of Sheba.
    I could murder a curry right now.
    Ha, I've got the memory of a goldfish, where were we?
    Maybe I'll take up pottery one day.
`,
  ),
  chinese: labelled(
    `
    f 我家在胡同里，门牌是28号。
    f 我小时候在青海长大，十八岁才出来。
    f 我每到春天就花粉过敏，鼻涕流个不停。
    f 我前年做过阑尾手术。
    f 我左耳听力不太好。
    f 我血糖偏高，医生让我少吃甜的。
    f 我爱人在铁路上工作。
    f 我闺女今年高三。
    f 我婆婆跟我们一起住，她腿脚不好。
    f 我们家老二特别怕黑，叫豆芽。
    f 我养了一缸热带鱼。
    f 家里那只鹦鹉叫小绿，会说脏话。
    f 我每个月到手一万二左右。
    f 我的房贷在建行，还有十五年。
    f 备用钥匙放在鞋柜第二层。
    f 户口本在我妈那儿。
    f 护照锁在书房的保险柜里。
    f 我妈的生日是腊月初八。
    f 我们是2016年国庆领的证。
    f 我在一家律所做行政。
    f 我开网约车，主要跑夜班。
    f 我教初中物理，带两个班。
    p 我从小就不爱吃甜食。
    p 我对恐怖片完全没兴趣。
    p 我特别受不了别人迟到。
    pf 我每天睡前都要泡脚。
    p 以后发我的东西尽量控制在一屏以内。
    p 跟我讲话不用那么客气。
    f 我骑的是一辆二手的雅马哈。
    f 朋友都喊我老鬼，我真名叫桂明远。
    c 我下周三得带孩子打疫苗。
    c 我们约了中介周六看房。
    c 我答应师傅月底前把图纸画完。
    d 我跟我老公商量过了，今年不回老家过年。
    d 车我决定卖了，以后坐地铁。
`,
    `
    我的快递什么时候能到？
    我是不是该换个工作？
    你觉得我适合学画画吗？
    我要是月薪五万就好了。
    如果我养狗，选哪个品种好？
    假如我住在海边，每天做什么？
    万一我怀孕了还能喝咖啡吗？
    我同事说：“我从来不吃早饭。”
    我朋友的猫叫咪咪。
    老板说我们公司要搬家。
    主角住在一座孤岛上，养了三只羊。
    翻译成日语：我在银行工作。
    帮我改改这句：我有二个哥哥。
    邻居家买了辆宝马。
    我一个客户对海鲜过敏。
    他老婆是幼儿园老师。
    帮我写一封请假邮件。
    给我找几张猫的图片。
    我想要一份减脂食谱。
    把牛奶加到购物清单里。
    定个七点的闹钟。
    我先去开会了，回头聊。
    我这边网不太好。
    我卡在第三步了。
    我刚看完你发的资料。
    我今天有点头疼。
    我困死了。
    我收到邮件了，谢谢。
    我重启过了，还是不行。
    我的浏览器一直闪退。
    我同意第二种说法。
    我觉得太贵了。
    我还以为是免费的。
    我怕是要成仙了哈哈。
    我就是个莫得感情的打工机器，笑死。
    也许我以后会去学陶艺。
`,
  ),
} as const;
