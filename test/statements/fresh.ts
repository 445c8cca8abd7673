import { labelled } from "./labelled.ts";

/** Written when the rules stood, measured once, and not tuned on. */
export const FRESH = {
  english: labelled(
    `
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
`,
    `
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
`,
  ),
  chinese: labelled(
    `
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
`,
    `
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
`,
  ),
} as const;
