/**
 * Sentences as people write them to an assistant, each with what it states: `preference`, `decision`, `commitment`, `fact`, or nothing. Rules were tuned on those
 * with an even place in their list; those with an odd one were held back, and are reported apart.
 */
export type Label = "preference" | "decision" | "commitment" | "fact";

const lines = (text: string): readonly string[] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim());

const labelled = (text: string): readonly (readonly [Label, string])[] =>
  lines(text).map((line) => {
    const at = line.indexOf(" ");
    return [KINDS[line.slice(0, at)]!, line.slice(at + 1)];
  });

const KINDS: Readonly<Record<string, Label>> = { p: "preference", d: "decision", c: "commitment", f: "fact" };

export const ENGLISH = labelled(`
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
`);

export const ENGLISH_NOTHING = lines(`
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
`);

export const CHINESE = labelled(`
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
`);

export const CHINESE_NOTHING = lines(`
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
`);
