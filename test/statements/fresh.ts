import { labelled } from "./labelled.ts";

/** Written when the rules stood, measured once, and not tuned on. */
export const FRESH = {
  english: labelled(
    `
    f We rent the ground floor of a villa in Trieste.
    f My new address is Via Giulia 40.
    f I have psoriasis on my elbows.
    f I lost my left leg below the knee in a motorbike crash.
    f My father-in-law Dario has Parkinson's.
    f I've two grown-up daughters, Elena and Mia.
    f We adopted our son from Colombia.
    f Our cat Ravioli only eats tuna.
    f My take-home pay is 2,150 euros.
    f We're still paying 700 a month for the kitchen.
    f The vaccination booklet is in the top drawer of my desk.
    f I keep the spare car key in the biscuit tin.
    f My sister's birthday is on the 29th of February.
    f I'm a ferry captain.
    f I've worked for the port authority since 2009.
    f I volunteer at the animal shelter on Thursdays.
    p I adore anchovies.
    p I'm not fond of air conditioning.
    p My favourite month is September.
    p Please call me in the evening, never before noon.
    p I'd rather have bad news straight away.
    f My motorbike is a Ducati Scrambler.
    f I speak Slovene with my grandmother.
    pf I swim in the sea every morning.
    f My second name is Benedetta.
    c I have to renew my seaman's book by 30 June.
    c We're moving into the new flat on the first of November.
    d We decided not to sell the boat.
    d I'm switching to a four-day week.
`,
    `
    How far is Trieste from Ljubljana?
    Is tuna bad for cats?
    Who won the regatta?
    If I lived in Trieste, which tram would I take?
    Assume my father-in-law has Parkinson's.
    You're a ferry captain and I'm a passenger.
    Dario said he prefers the bus.
    In the poem the captain has a wooden leg.
    Reword this please: I have psoriasis since 2010.
    A neighbour of ours adopted two boys.
    The port authority is closed on Sundays.
    Show me flats with a terrace.
    Draft a message to my sister for her birthday.
    I need a doctor's appointment.
    I want to know when the ferry leaves.
    I'm on the boat right now.
    I'm almost there.
    I've just eaten.
    I closed the window and it's still cold.
    I can't download it.
    My soup is too salty.
    My boat is rocking.
    We forgot the tickets.
    Oh sure, I'm the king of Trieste.
`,
  ),
  chinese: labelled(
    `
    f 我们租了别墅的一楼。
    f 我胳膊肘上有牛皮癣。
    f 我左腿膝盖以下截了肢。
    f 我公公有帕金森。
    f 我有两个女儿，都成年了。
    f 我家猫只吃金枪鱼。
    f 我每月到手一万五。
    f 接种本在我书桌最上面的抽屉里。
    f 我把备用车钥匙放在饼干盒里。
    f 我姐的生日是二月二十九号。
    f 我是渡轮船长。
    p 我超爱吃凤尾鱼。
    p 我不喜欢开空调。
    p 晚上再给我打电话，中午以前别打。
    c 我六月三十号之前要换海员证。
    d 我们决定不卖船了。
`,
    `
    金枪鱼对猫不好吗？
    要是我住海边，坐哪路车？
    假设我公公有帕金森。
    你是船长，我是乘客。
    他说他更喜欢坐公交。
    诗里的船长有条木腿。
    改写一下：我有牛皮癣从2010年。
    港务局周日关门。
    给我看看带露台的房子。
    我要预约医生。
    我想知道渡轮几点开。
    我现在在船上。
    我刚吃完。
    我下载不了。
    我的汤太咸了。
    我们忘带票了。
`,
  ),
} as const;
