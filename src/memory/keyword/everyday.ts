import { tokensOf } from "./tokens.ts";

// Words that people use on any subject: in requests, in small talk, to say how, when and how much. In a store of a few
// entries every word is rare, so only this list tells which words say nothing about a message's subject.

const ENGLISH =
  // courtesy and small talk
  "hi hello hey yo howdy greetings thanks thank thx alright laugh million legend grand cheers lmao huh hmm kk yup ugh ooh yay bored tired sleepy hungry busy around catch random girl boy self please pls sorry excuse ok okay yes yeah yep yup no nope sure great good nice cool awesome perfect fine well right " +
  "wrong welcome bye goodbye cheers lol haha wow hmm oh ah dear honestly fair enough bit sound mood hows whos wheres whens heres lets gonna wanna gotta aint btw idk omg actually really maybe perhaps probably exactly absolutely definitely totally never mind " +
  "morning evening afternoon night today tomorrow yesterday tonight now later soon day week month year hour minute second time moment date weekend weekday " +
  "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december spring summer autumn fall winter " +
  // what is asked of an assistant
  "continue go next stop wait start begin end finish help assist tell say ask answer question explain describe show give make take get put let try use want need like love hate " +
  "know think mean see look find search check read write draft compose create generate list summarize summarise summary translate translation convert calculate compute solve " +
  "rewrite rephrase paraphrase proofread fix correct improve shorten change edit add remove delete open close send post reply respond compare discuss suggest recommend advise " +
  "define analyze analyse review brainstorm guess count sort plan prepare choose pick decide remind remember forget note update turn set run call talk speak chat hear listen watch play " +
  "word sentence paragraph line article essay poem haiku joke story song letter title text message mail email page file document data code function script program example idea " +
  "tip advice fact thing stuff something anything everything nothing someone anyone everyone somebody anybody everybody nobody person people man woman guy kid friend " +
  "english french german spanish italian chinese japanese language meaning definition synonym grammar spelling number figure letter " +
  // how, when, how much
  "new old big small large little long short high low easy hard difficult simple fast quick slow simple early late first last next previous best better bad worse worst many much lot few " +
  "several enough less least half whole full empty same different similar other another every always often usually sometimes ever already still yet almost also even " +
  "quite rather pretty especially only instead together alone away back here there where everywhere near far left front top bottom side inside outside one two three four five six seven eight " +
  "nine ten hundred thousand once twice zero possible important interesting funny happy sad free busy ready able sure clear true false real main common general special single double " +
  // what everybody does
  "come become between among past during per via keep hold leave stay live move bring carry follow meet happen feel seem look believe hope wish wonder learn teach study understand work job do buy sell pay cost spend " +
  "eat drink sleep wake sit stand walk drive travel visit arrive return build break cut grow lose win turn wear care matter life world way place home house room part kind type sort case " +
  "point reason problem issue trouble solution result effect difference step process group team company business money price water food name thing side area country city town street school " +
  "book movie film music game picture photo video news weather rain sun temperature population capital president history science math computer phone internet website online app";

/** Pairs of characters, as texts without spaces are tokenised. */
const CHINESE =
  "说话 名字 起名 讲话 讲一 再讲 一遍 再说 看懂 没懂 你好 您好 嗨喽 哈喽 在吗 心情 下一 一首 关于 大家 早上 早安 晚上 晚安 中午 下午 上午 今天 明天 昨天 后天 前天 今晚 明早 现在 刚才 以后 以前 之前 之后 最近 时间 时候 小时 分钟 星期 周末 周一 周二 周三 周四 周五 周六 周日 " +
  "礼拜 本周 下周 上周 这周 每天 每周 每月 本月 下月 上月 今年 明年 去年 春天 夏天 秋天 冬天 谢谢 感谢 多谢 不客 客气 对不 不起 抱歉 没关 关系 没事 好的 可以 行吗 不行 是的 不是 当然 也许 可能 大概 " +
  "应该 需要 想要 希望 觉得 认为 知道 明白 了解 理解 清楚 记得 忘记 忘了 记住 继续 开始 停止 结束 完成 等等 稍等 请问 请帮 帮我 帮忙 帮助 告诉 说说 说一 一下 下面 上面 这段 段话 这句 句话 这个 那个 哪个 " +
  "一个 两个 几个 一些 一点 有点 有些 所有 全部 每个 其他 别的 另外 自己 别人 什么 怎么 怎样 为什 如何 多少 多久 多大 多远 几点 哪里 哪儿 谁的 是谁 问题 问你 回答 答案 解释 说明 介绍 描述 讲讲 讲个 讲一 " +
  "写一 写个 写篇 一篇 一首 一封 一段 一句 一份 文章 作文 故事 笑话 诗歌 句子 单词 段落 标题 内容 邮件 短信 消息 文件 文档 代码 程序 函数 数据 例子 翻译 翻成 译成 英文 英语 中文 汉语 日语 法语 德语 " +
  "语言 意思 总结 概括 摘要 改写 润色 修改 检查 纠正 优化 生成 创建 列出 列表 推荐 建议 比较 区别 分析 计算 解方 方程 等于 搜索 查找 查一 看看 看一 试试 想想 想一 聊聊 聊天 随便 无聊 哈哈 呵呵 嗯嗯 " +
  "喜欢 讨厌 开心 高兴 难过 累了 好吃 好看 好玩 有趣 漂亮 厉害 重要 简单 容易 困难 麻烦 方便 合适 最好 最多 最少 最大 最小 第一 第二 第三 一样 不同 特别 非常 比较 更好 更多 太多 很多 不少 足够 " +
  "大家 朋友 人们 有人 没人 男人 女人 孩子 东西 事情 地方 方面 办法 方法 方式 原因 结果 情况 部分 种类 类型 步骤 计划 打算 准备 决定 选择 工作 上班 下班 学习 生活 回家 出门 出去 过来 过去 回来 起床 睡觉 " +
  "吃饭 喝水 走路 买了 买个 要买 卖的 花钱 价格 多钱 便宜 国家 城市 首都 人口 世界 历史 科学 数学 电脑 手机 电话 网上 网站 软件 天气 下雨 温度 新闻 音乐 电影 游戏 图片 照片 视频 公司 学校 家里 房间";

let everyday: ReadonlySet<string> | undefined;

/** Whether a token (from `eachToken`) says little about a text's subject. The list is built on the first call. */
export function isEveryday(token: string): boolean {
  everyday ??= new Set([...tokensOf(ENGLISH), ...CHINESE.split(" ")]);
  return everyday.has(token);
}
