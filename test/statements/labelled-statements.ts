import { labelled } from "./labelled.ts";

/**
 * Sentences as people write them to an assistant, each with what it states: `p`reference, `d`ecision, `c`ommitment, `f`act, or nothing. The rules were tuned
 * until they found what stands in `tuned`; `heldBack` was written afterwards, measured, and not tuned on.
 */
export const ENGLISH = labelled(
  `
  f I'm allergic to peanuts.
  f My dentist is Dr. Okafor on Hill Street.
  p From now on, answer me in short sentences.
  f Call me Robin.
  p I prefer aisle seats on long flights.
  d We've decided to move the launch to March.
  c I promised Anna to send her the contract by Friday.
  f I live in Gothenburg with my two kids.
  p I don't like coriander at all.
  f My wife's name is Ingrid.
  d Let's go with Postgres for the new service.
  c I'll finish the tax return before the end of the month.
  p Please never call me before nine in the morning.
  f I work as a nurse at the county hospital.
  p I love long walks in the rain.
  f My birthday is on 3 May.
  d I've decided against buying the house in Leeds.
  c I have a dentist appointment on Tuesday at 10.
  p Always use metric units.
  f I'm a vegetarian, by the way.
  p My favourite colour is dark green.
  f Our office is on the fourth floor of the Meridian building.
  d We agreed on a budget of 4000 euros.
  c I need to renew my passport before June.
  p I hate phone calls, text me instead.
  f My son plays the cello.
  p Stop using emojis in your replies.
  f I was born in Lagos and grew up in Leeds.
  d We'll use TypeScript for the backend.
  c The report for the board is due on Thursday.
  p I'd rather meet in the afternoon.
  f I have two cats, Miso and Tofu.
  p I can't stand loud restaurants.
  f My car is a blue Volvo V60.
  d The team chose the second vendor.
  c I told my boss I will present the numbers next Monday.
  p In future please put the summary first.
  f I'm 42 years old.
  p I only drink decaf after lunch.
  f I study chemistry at the university of Uppsala.
  d We are going with the cheaper hosting plan.
  c I'm going to run a marathon in October.
  p I usually get up at six.
  f My manager is called Priya Raman.
  p I'm a big fan of detective novels.
  f I wear size 43 shoes.
  d I made up my mind: I'm keeping the old laptop.
  c I owe Marcus 40 pounds.
  p Whenever I ask for a recipe, leave out the salt.
  f We moved to Porto last spring.
  p I really enjoy working in the early morning.
  f I have type 1 diabetes.
  d My husband and I agreed to sell the boat.
  c My flight to Berlin leaves tomorrow at 6.
  p Keep your answers under three sentences.
  f I speak Portuguese and a little Danish.
  p I never eat breakfast on weekdays.
  f Remember that the spare key is with Mrs Holm next door.
  d The decision is to postpone the trip.
  c I have to pay the rent by the 28th.
  p I'm not a fan of open offices.
  f My phone number is 555 0142.
  d We settled on blue for the kitchen.
  f My sister lives in Oslo and works for the railway.
  p Please reply in German.
  f I own a small bakery in Ghent.
  p I tend to prefer trains over planes.
  f My daughter is allergic to bee stings.
  p Don't put tables in your messages.
  f I use Neovim for everything.
  p I'm not really into horror movies.
  p I'd prefer if you used bullet points sparingly.
  p Please don't send me long messages.
  p My preferred language is Spanish.
  p Could you please always include sources?
  p I much prefer working from home.
  p Spicy food doesn't agree with me.
  p I'm more of a coffee person.
  p Make sure to always write dates as day/month.
  p I want you to be blunt with me.
  p Don't call me ma'am.
  p We usually order from the Thai place.
  p I try to avoid sugar.
  p Just give me the code without explanations from now on.
  p I like my steak rare.
  p I don't eat pork.
  f My name is Tobias.
  f I'm a software engineer at Siemens.
  f My kids go to Lincoln Elementary.
  f I'm deaf in one ear.
  f My mother passed away in 2019.
  f I'm in the Pacific time zone.
  f I've been a vegetarian since 2010.
  f My husband Tom is a firefighter.
  f I'm lactose intolerant.
  f Our daughter Mia turns five in June.
  f I just got a puppy named Biscuit.
  f I got married last year.
  f I'm currently living in Berlin.
  f My email is tobias@example.org.
  f I run a small design agency.
  f I'm training for a triathlon.
  f I'm originally from Chile.
  f The wifi at our cabin doesn't work in winter.
  f I can't drive.
  f I take blood pressure medication every morning.
  f My team is based in Lisbon.
  f I have high blood pressure.
  f I work night shifts.
  d We'll meet at the station instead.
  d I've chosen the red one for the living room.
  d After a long discussion we picked Vienna.
  d I am quitting my job.
  d OK, final decision: we're not renewing the lease.
  d We're cancelling the gym membership.
  d I decided not to apply.
  d We have settled on the name Luna.
  d Let's stick with the original plan.
  c I'll pick up mom from the airport on Sunday.
  c I will call the plumber tomorrow.
  c I promise to quit smoking.
  c I have an interview with Spotify next Wednesday.
  c My visa expires on 12 August.
  c I'm meeting Lea for lunch on Thursday.
  c I need to submit the thesis by 1 March.
  c We're flying to Japan in April.
  p I can't work with music on.
  p Whenever you quote prices, convert them to euros.
  p I'd rather you didn't use my last name.
  p My favorite author is Ursula Le Guin.
  p I dislike surprises.
  p Please speak to me informally.
  p No exclamation marks, please.
  p I always take the stairs.
  p We love board games.
  p Going forward, sign my emails with just T.
  p I don't drink alcohol.
  p Never book me a middle seat.
  f I'm a retired math teacher.
  f My brother has a shellfish allergy.
  f I'm 5 feet 9.
  f My company is called Bluebird Logistics.
  f I have a twin sister.
  f I live on the third floor, no elevator.
  f My blood type is O negative.
  f I'm married to Jonas.
  f I moved here from Canada in 2015.
  f My anniversary is June 12th.
  f I drive a 2014 Civic.
  f We have a cabin near Lake Tahoe.
  f I go to the gym on Mondays and Thursdays.
  f My dad was a pilot.
  f I suffer from migraines.
  f Note that our office closes at 5 on Fridays.
  f I'm studying for the bar exam.
  f My cat's name is Pickle.
  f I speak Hindi at home.
  d We decided on the Italian caterer.
  d I've decided to go vegan.
  d We're going with option B for the roof.
  d My wife and I agreed to move in the fall.
  d I picked the mint green paint.
  d We chose not to refinance.
  c I'll send Dana the slides by Monday.
  c I have a flight to Denver on Friday morning.
  c I promised my son a trip to the zoo.
  c The rent is due on the first.
  c I need to pick up the cake before 4.
  c I must cancel the subscription by next week.
  c We're having dinner with the Parkers on Saturday.
  f Hi! I'm Rosa, a paediatric nurse from Leeds.
  f I'm Tobias, by the way.
  c We're planning to renovate the kitchen this spring.
  c I plan to run a marathon this autumn.
  f Correction: the meeting room is B12, not B21.
  f Sorry, I meant 17:30, not 18:30.
  f I no longer work at Siemens.
  p I'm afraid of heights.
  f I'm coeliac, so no gluten.
  f I've switched from Spotify to Tidal.
  f I stopped eating meat last year.
  f We adopted a greyhound in March.
  f I've got two brothers.
`,
  `
  What is the weather like today?
  Do you like jazz?
  If I were allergic to nuts, what could I eat?
  Translate "I am allergic to peanuts" into French.
  He said he prefers tea.
  I like it!
  Thanks, that was helpful.
  I'm tired.
  We haven't decided yet.
  Maybe I'll go to the gym later.
  Can you find me a flight to Rome?
  I guess that's fine.
  Suppose I live in Tokyo: what is my tax rate?
  I'm not sure which one I prefer.
  Good morning!
  I like how you explained that.
  The article says people prefer remote work.
  Could you help me decide between the two?
  I'd like a table for two, please.
  My question is about the second paragraph.
  I have a question about my invoice.
  Write a story about a man who loves cheese.
  I love you, you are the best.
  I'm just kidding.
  Let me think about it.
  Should I call her tomorrow?
  My computer is slow again.
  I'll be right back.
  I have to go now.
  I wish I lived by the sea.
  No, that's not what I meant.
  I can't find the file that you mentioned.
  Imagine you are a pirate who hates water.
  My order has not arrived.
  Who decided that the office should close?
  I might move to Spain one day.
  I think that the second paragraph is too long.
  She told me that she moved to Paris.
  Please summarise this page.
  I don't know.
  "I never eat meat" is the first line of the poem.
  What would you do if you had decided to quit?
  I am looking for a cheap hotel in Vienna.
  Open the door.
  The customer wrote: I prefer the old design.
  It was a long day and I'm hungry.
  Perhaps we should use Redis.
  You are right.
  I was wondering whether you could check my essay.
  I have no idea what this means.
  I'm on my way home.
  Show me the list of open tickets.
  My guess is that the server is down.
  I'd love to, but not today.
  Never mind.
  I always forget how this works, can you explain it?
  I'll let you know.
  I'm trying to install the driver, but it fails.
  How do I say that I am vegetarian in Italian?
  We will see.
  The function returns a list of users.
  I need help with my homework.
  Is my daughter old enough for this film?
  I liked the first version of the text more.
  My dog is barking at the mailman right now.
  I haven't agreed to anything.
  I'll take a look at it now.
  Unless I decide to stay, book the train.
  This is my third attempt and I hate this error.
  According to the book, I should always breathe out first.
  Which restaurants do you prefer?
  I need a recipe for dinner.
  I'm looking for a gift for my mother.
  My laptop won't turn on.
  Please book a table for two tomorrow at 7.
  Remind me what we talked about.
  That's my favorite part!
  I hate to bother you again.
  I'd love some help with this.
  I love that idea.
  Can you use the metric system here?
  I was thinking about buying a car.
  The plan is unclear to me.
  Use the second paragraph.
  Don't worry about it.
  Keep going.
  Make it shorter.
  No problem.
  I want to know how tall the tower is.
  I have to say, that was quick.
  My last message was cut off.
  We were at the beach all day.
  It's raining here.
  Is it true that Anna decided to leave?
  I'm reading your answer now.
  I think we should talk about the second point.
  The user said he likes the dark theme.
  Add a test for the login function.
  I'm getting an error when I run this.
  I've tried that already.
  What if I decide to move to Spain?
  Always is spelled with one l.
  Send it to me please.
  My code throws an exception on line 4.
  I prefer the second option.
  Let's go with the first one.
  We need to fix this bug.
  I see.
  I just woke up.
  My friend asks whether this is legal.
  I am asking about the price.
  I am at the airport.
  I have two questions.
  I have one more thing to ask.
  Our conversation was interesting.
  I'm writing an email to my boss, can you help?
  My essay is about climate change.
  My goal here is to understand recursion.
  Where do you live?
  Why did they decide that?
  My internet is down again.
  I'm so happy right now!
  Can I change my name later?
  He hates cilantro.
  Let me know what you decide.
  I was going to say the same.
  It depends on the price.
  I don't understand the error.
  I'd like to know more about Rome.
  The second one sounds good.
  Thank you so much for your help.
  I need to go.
  I'm sorry, that was my mistake.
  Write a poem that begins with "I live in a small house by the sea".
  Tell me a joke about a man who never sleeps.
  If we moved to Berlin, what would rent cost?
  Do I need a visa for Japan?
  I wonder what my dog thinks.
  They said the flight is delayed.
  I can see it now.
  I'm looking at the chart you made.
  What should I name my cat?
  My screen just went black.
  Which of these do I need?
  Sounds like a plan.
  I clicked the link but nothing happens.
  Convert 5 miles to kilometers.
  I feel great today.
  Explain how vaccines work.
  She lives in Madrid.
  I can't believe it.
  I thought you said Tuesday.
  Next question.
  Could my allergy be caused by dust?
  I may have to move next year.
  My husband wants to know what time it is there.
  I just finished dinner.
  Give me three names for a bakery.
  Let's say I work at a bank.
  const name = "I live in Paris"; // my name
  git commit -m "I prefer tabs"
  For example, I have 3 apples and eat one.
  print("I prefer tea")
  let user = { city: "I live in Rome" };
  In the film, my favourite actor plays a spy.
  console.log("I live in Paris");
  Explain this: I hate you.
`,
);

export const CHINESE = labelled(
  `
  f 我对花生过敏。
  f 我的牙医是陈大夫，诊所在中山路。
  p 以后请用简短的句子回答我。
  f 叫我小鹿就行。
  p 我喜欢靠窗的座位。
  d 我们决定把发布推迟到三月。
  c 我答应小安周五之前把合同发给她。
  f 我住在杭州，有两个孩子。
  p 我一点也不喜欢香菜。
  f 我老婆叫林雪。
  d 新服务就用Postgres吧。
  c 我月底之前要把报税的材料交上去。
  p 早上九点以前不要给我打电话。
  f 我是县医院的护士。
  p 我特别爱在雨里散步。
  f 我的生日是五月三号。
  d 我们最后决定不买那套房子了。
  c 我周二上午十点约了牙医。
  p 每次都用公制单位。
  f 我吃素，已经十年了。
  p 我最喜欢的颜色是墨绿色。
  f 我们公司在滨江大厦四楼。
  d 预算定为四千欧元。
  c 我六月之前必须换护照。
  p 我讨厌打电话，发消息就好。
  f 我儿子在学大提琴。
  p 回复里别再用表情符号了。
  f 我出生在成都，在重庆长大。
  d 后端我们采用TypeScript。
  c 董事会的报告周四截止。
  p 我更愿意下午见面。
  f 我养了两只猫，一只叫豆豆一只叫米粒。
  p 我受不了太吵的餐厅。
  f 我的车是一辆蓝色的沃尔沃。
  d 团队最终选了第二家供应商。
  c 我跟老板说好了，下周一汇报数据。
  p 今后请把结论放在最前面。
  f 我今年四十二岁。
  p 午饭以后我只喝无咖啡因的咖啡。
  f 我在浙江大学读化学。
  d 我们商量好了，用便宜的那家主机。
  c 我打算十月份去跑马拉松。
  p 我一般六点起床。
  f 我的经理叫王芳。
  p 我是侦探小说迷，最爱看东野圭吾。
  f 我穿43码的鞋。
  d 我想好了，旧电脑留着不换了。
  c 我还欠小马四百块钱。
  p 从现在开始，菜谱里不要放盐。
  f 我们去年春天搬到了厦门。
  p 我习惯早上工作，效率高。
  f 我有糖尿病。
  d 我和先生商量好把船卖掉。
  c 我明天早上六点飞北京。
  p 回答请控制在三句话以内。
  f 我会说葡萄牙语，还会一点丹麦语。
  p 我工作日从来不吃早饭。
  f 记住，备用钥匙在隔壁何阿姨家。
  d 结论是旅行延期。
  c 我28号之前得交房租。
  p 我不太喜欢开放式办公室。
  f 我的手机号是13800000142。
  d 厨房的颜色定了，刷蓝色。
  f 我姐姐住在苏州，在铁路局上班。
  p 请用英文回复我。
  f 我在宁波开了一家小面包店。
  p 比起飞机我更喜欢坐高铁。
  f 我女儿对蜂毒过敏。
  p 消息里不要放表格。
  f 我写代码都用Vim。
  p 我不吃猪肉。
  p 我喝咖啡从来不加糖。
  p 你以后叫我老王。
  p 别跟我说客套话。
  p 我偏爱极简风格。
  p 回答的时候直接给结论。
  p 我周末不处理工作邮件。
  p 我比较怕辣。
  p 以后都用表格给我。
  p 我希望你说话直接一点。
  f 我是做外贸的。
  f 我是东北人。
  f 我爸去年去世了。
  f 我有高血压。
  f 我在腾讯做后端开发。
  f 我家有两个老人。
  f 我女儿今年上小学。
  f 我老家在湖南。
  f 我刚结婚。
  f 我不会开车。
  f 我的邮箱是wang@example.com。
  f 我儿子叫乐乐。
  f 我近视八百度。
  f 我怀孕五个月了。
  f 我最近在学日语。
  f 我妻子是老师。
  f 我大学学的是法律。
  f 我属兔。
  d 我们决定明年要孩子。
  d 最后还是选了红色的。
  d 我打算辞职了。
  d 我们不去日本了，改去泰国。
  d 方案定下来了，用第二版。
  d 我已经决定考研。
  c 我答应女儿周末带她去动物园。
  c 下周三我要做手术。
  c 我明天去办签证。
  c 这个月底我必须交论文。
  c 我的签证八月到期。
  c 我跟小李约好周五打球。
  p 我一般坐地铁上班。
  p 我更喜欢文字沟通，别给我发语音。
  p 以后报价都换算成人民币。
  p 我从来不喝酒。
  p 每次回答先给结论。
  p 我最喜欢的作家是余华。
  p 请不要用感叹号。
  p 我习惯晚上十点以后再看消息。
  p 我不太能吃辣。
  p 今后邮件落款只写小T。
  p 我们全家都爱吃火锅。
  p 我受不了烟味。
  f 我是退休的数学老师。
  f 我弟弟对海鲜过敏。
  f 我身高一米七五。
  f 我们公司叫蓝鸟物流。
  f 我有个双胞胎妹妹。
  f 我住三楼，没有电梯。
  f 我的血型是O型。
  f 我丈夫叫建国。
  f 我2015年从哈尔滨搬到深圳。
  f 我们的结婚纪念日是六月十二号。
  f 我开一辆本田思域。
  f 我每周一和周四去健身房。
  f 我爸以前是飞行员。
  f 我有偏头痛。
  f 请记住，我们办公室周五五点关门。
  f 我正在准备司法考试。
  f 我的猫叫泡菜。
  f 我在家说上海话。
  d 我们决定用那家意大利餐厅。
  d 我决定以后吃素。
  d 屋顶我们选B方案。
  d 我和老婆商量好秋天搬家。
  d 装修最后定了薄荷绿。
  c 我周一之前要把幻灯片发给丹丹。
  c 我周五早上飞昆明。
  c 我答应儿子带他去动物园。
  c 房租一号到期。
  c 我下周之前必须取消订阅。
  c 我们周六要跟老帕一家吃饭。
  f 你好,我是刘芳,在医院做护士。
  f 我有严重的花生过敏。
  f 我海鲜过敏。
  f 我们家养了两只猫,叫豆豆和米粒。
  f 我们三月领养了一只灰狗。
  f 我刚换了工作,现在在市图书馆。
  f 我租了一套海边的小公寓。
  f 我和表弟开了一家面包店。
  f 我是自由翻译。
  f 我搬家了，新邮编是310000。
  f 我已经从网易云换到QQ音乐了。
  c 我们说好了每两周的周四发布。
  c 我周四中午跟小培见面。
  d 我们继续用 Jira。
  f 更正一下:会议室是B12,不是B21。
  f 抱歉，我是说17:30，不是18:30。
  f 别忘了,房租每月5号交。
  f 请注意,我坐飞机只带手提行李。
  p 我每个星期天早上都跑步。
  f 我恐高。
  f 我上夜班。
  p 從現在起，所有程式註解都用英文寫。
  p 我喜歡喝烏龍茶，不喜歡咖啡。
  f 我對花生過敏。
  d 我們決定下週開始用新的系統。
  p 以後請用繁體中文回答我。
`,
  `
  今天天气怎么样？
  你喜欢爵士乐吗？
  如果我对花生过敏，能吃什么？
  把“我对花生过敏”翻译成英文。
  他说他更喜欢喝茶。
  我喜欢！
  谢谢，很有用。
  我好累啊。
  我们还没决定。
  也许我晚点去健身房。
  帮我找一张去罗马的机票。
  应该可以吧。
  假设我住在东京，要交多少税？
  我不确定自己更喜欢哪一个。
  早上好！
  我喜欢你这样解释。
  文章说大家更喜欢远程办公。
  你能帮我决定选哪个吗？
  我想订一张两人的桌子。
  我的问题是关于第二段的。
  我有个问题想问你。
  写一个喜欢奶酪的人的故事。
  爱你，你最棒了。
  我开玩笑的。
  让我想想。
  我明天要不要给她打电话？
  我的电脑又卡了。
  我马上回来。
  我要走了。
  要是我住在海边就好了。
  不，我不是这个意思。
  我找不到你说的那个文件。
  想象你是一个讨厌水的海盗。
  我的快递还没到。
  谁决定关掉办公室的？
  我可能有一天会搬去西班牙。
  我觉得第二段太长了。
  她告诉我她搬到巴黎了。
  请总结一下这个页面。
  我不知道。
  “我从不吃肉”是这首诗的第一句。
  如果你决定辞职，你会怎么做？
  我在找维也纳便宜的酒店。
  把门打开。
  客户写道：我更喜欢旧的设计。
  今天太长了，我饿了。
  或许我们可以用Redis。
  你说得对。
  我想问问你能不能看看我的作文。
  我完全不懂这是什么意思。
  我在回家的路上。
  给我看看没处理的工单。
  我猜是服务器挂了。
  我很想去，但是今天不行。
  没关系。
  我老是忘记这个怎么用，能再讲一遍吗？
  到时候告诉你。
  我在装驱动，但是一直失败。
  “我吃素”用意大利语怎么说？
  到时候再说。
  这个函数返回用户列表。
  我需要你帮我写作业。
  我女儿够大可以看这部电影吗？
  我上次用的是第一个版本。
  我家狗现在正对着邮递员叫。
  我什么都没答应。
  我现在看一下。
  除非我决定留下，否则订火车票。
  这是我第三次试了，这个报错真烦。
  书上说我应该先呼气。
  帮我查一下明天去上海的高铁。
  你最喜欢什么颜色？
  我想知道这个怎么做。
  这是我的代码，帮我看看。
  我刚才说的是第二个。
  太好了，我喜欢这个主意。
  明天要下雨吗？
  写一首关于春天的诗。
  我不明白。
  我试过了，不行。
  给我推荐几家餐厅。
  我现在在机场。
  我有三个问题。
  我先去吃饭了。
  我想买一台电脑。
  他决定不来了。
  她对花生过敏吗？
  别担心。
  继续。
  再短一点。
  你能用表格吗？
  我的代码报错了。
  我在看你的回答。
  小说里的主角喜欢喝酒。
  我觉得可以。
  我要一杯咖啡。
  我朋友问这样合不合法。
  我选第二个。
  我正在写邮件给老板，帮帮我。
  我看到了。
  我回来了。
  我是说第三段。
  我同意你的看法。
  我们来聊聊旅行吧。
  我刚起床。
  明天我再问你。
  你住在哪里？
  他们为什么这么决定？
  我家网又断了。
  我现在好开心！
  我以后可以改名字吗？
  他讨厌香菜。
  你决定了告诉我。
  我本来也想这么说。
  看价格吧。
  我看不懂这个报错。
  我想多了解一下罗马。
  第二个听起来不错。
  非常感谢你的帮助。
  我得走了。
  对不起，是我弄错了。
  写一首诗，开头是“我住在海边的小房子里”。
  讲个关于从不睡觉的人的笑话。
  如果我们搬到北京，房租要多少？
  我去日本需要签证吗？
  他们说航班延误了。
  我现在看到了。
  我在看你做的图。
  我的猫叫什么名字好？
  我的屏幕突然黑了。
  这些里面我需要哪个？
  听起来不错。
  我点了链接但是没反应。
  把五英里换成公里。
  我今天感觉很好。
  解释一下疫苗的原理。
  她住在马德里。
  真不敢相信。
  我以为你说的是周二。
  下一个问题。
  我的过敏会不会是灰尘引起的？
  我明年可能要搬家。
  我老公想知道那边几点了。
  我刚吃完饭。
  给面包店起三个名字。
  我只是随便问问。
  比如说我在银行上班。
  例如我有3个苹果，吃了一个。
  假装我的名字叫蝙蝠侠。
  假定我的工资是五万，算一下税。
  改一下语病:我是有一个猫的。
  我有一个关于递归的问题。
  我太喜欢了,谢谢!
  <p>我叫小明</p>
  我卡在这个报错上了。
  我更喜欢第二个。
  我收到了一条错误信息。
  我的网现在断了。
  我今天有点累。
  我姐姐觉得她总是对的。
  电影里我最喜欢的演员演了一个间谍。
  請翻譯下面的句子：我對花生過敏。
  你還記得我喜歡喝什麼嗎？
`,
);

export const ENGLISH_HELD_BACK = labelled(
  `
  p I prefer paper books to e-books.
  p I can't stand being called Bobby.
  p Always reply in Dutch, even if I write in English.
  p I usually skip lunch.
  p My favourite cuisine is Ethiopian.
  p I don't use social media.
  p Please stop adding greetings to the emails.
  p I enjoy baking on Sundays.
  f I'm a freelance photographer from Malta.
  f My name is Soledad, but friends call me Sol.
  f I have a severe nut allergy.
  f My landlord is Mr Petrov.
  f I work from home on Wednesdays.
  f Our wedding anniversary is 14 September.
  f My grandmother lives with us.
  f I play the trumpet in a brass band.
  f I was born in 1988.
  f We live next to the old brewery.
  f My bank is Handelsbanken.
  d We decided to adopt a dog.
  d I'm switching to the annual plan.
  d Let's postpone the offsite to spring.
  d We agreed that Noor will lead the project.
  c I'll renew the car insurance next week.
  c I have to hand in the grant application by Friday.
  c My parents' visit is on 20 December and I will pick them up at noon.
  c I promised to water the neighbours' plants.
  c I'm seeing the cardiologist on Monday.
`,
  `
  Can you recommend a dentist?
  How do I stop my cat from scratching the sofa?
  I need the address of the museum.
  That is what I wanted to know.
  I'm not following you.
  Make the title bigger.
  I don't think that's right.
  My printer is offline.
  Who lives in that house?
  The character in my novel is allergic to silver.
  I'd be happy to help.
  Let's see.
  I was just about to ask that.
  She prefers the train.
  You decide.
  If I were a vegetarian, would this be fine?
  I guess I could call them.
  Please check whether I have any meetings.
  Maybe we should decide tomorrow.
  I'm done for today.
  I asked you for three options.
  I read that coffee is healthy.
  I have attached the file.
  Is it decided yet?
`,
);

export const CHINESE_HELD_BACK = labelled(
  `
  p 比起电子书我更喜欢纸质书。
  p 我受不了别人叫我小胖。
  p 以后都用粤语回复我。
  p 我平时不吃午饭。
  p 我最喜欢的菜系是川菜。
  p 我不用微博。
  p 邮件里别再写客套话。
  p 我喜欢周日在家烤面包。
  f 我是自由摄影师。
  f 我叫苏晴，朋友都叫我晴晴。
  f 我对坚果严重过敏。
  f 我的房东是彭先生。
  f 我周三在家办公。
  f 我和老公的结婚纪念日是九月十四号。
  f 我奶奶和我们一起住。
  f 我在乐队里吹小号。
  f 我是1988年出生的。
  f 我们住在老酒厂旁边。
  f 我的工资卡是招商银行的。
  d 我们决定领养一只狗。
  d 我改成年付套餐了。
  d 团建推迟到春天。
  d 我们商定由小诺负责这个项目。
  c 我下周要续车险。
  c 我周五之前得交基金申请。
  c 我爸妈十二月二十号来，我中午去接他们。
  c 我答应帮邻居浇花。
  c 我周一要去看心脏科。
`,
  `
  能推荐一个牙医吗？
  怎么让猫不抓沙发？
  我需要博物馆的地址。
  这就是我想知道的。
  我没跟上你说的。
  把标题放大。
  我觉得不对。
  我的打印机离线了。
  谁住在那栋房子里？
  我小说里的角色对银过敏。
  很乐意帮忙。
  看看再说。
  我正想问这个。
  她更喜欢坐火车。
  你来决定。
  假如我是素食者，这个能吃吗？
  我想我可以打电话问问。
  帮我看看我有没有会议。
  也许我们明天再决定。
  我今天就到这里。
  我问你要了三个方案。
  我看到说咖啡有益健康。
  我已经把文件发上来了。
  定了吗？
`,
);
