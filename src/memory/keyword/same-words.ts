// Chinese synonyms of one or two characters (one token each) in what people say about themselves and those around them:
// words for relations, and words of a question with those of its answer.
const GROUPS =
  "爸爸 父亲 老爸 我爸 爸|妈妈 母亲 老妈 我妈 妈|老公 丈夫 先生 爱人|老婆 妻子 媳妇 太太 爱人|孩子 小孩 儿子 女儿 闺女 宝宝|爷爷 祖父|外公 姥爷|奶奶 祖母|外婆 姥姥|" +
  "女友 女朋 对象|男友 男朋 对象|岳父 丈人|岳母 丈母|领导 老板 上司 主管 经理|哥哥 大哥|大夫 医生|工作 职业 上班 行业 职位 从事|单位 公司 上班 就职 工作|" +
  "电话 手机 号码 联系|邮箱 邮件|生日 出生|年龄 年纪 多大 岁 几岁|身高 个子 个头 多高 厘米 公分|体重 多重 公斤 斤|家乡 老家 籍贯 里人 长大|住 地址 住址 定居 居住 搬|" +
  "爱好 喜欢 兴趣 爱|学历 毕业 文凭 学位 文化|性格 脾气 为人|价格 钱 费用 花 块 元|旅游 旅行 游玩|密码 口令|结婚 婚礼 领证|汽车 车 开车|礼物 送|运动 锻炼 健身|" +
  "房租 租金|工资 薪水 收入 月薪|成绩 分|出差 差旅|照片 拍照|快递 包裹|名字 姓名 叫|地点 地方 位置 地址|多久 多长 小时 分钟|计划 打算 准备|擅长 特长 拿手|举行 举办|职位 职务 岗位";

/** Each token's synonyms, itself included. */
export const SAME_WORDS: ReadonlyMap<string, ReadonlySet<string>> = sameWords();

function sameWords(): ReadonlyMap<string, ReadonlySet<string>> {
  const same = new Map<string, Set<string>>();
  for (const group of GROUPS.split("|")) {
    const words = group.split(" ");
    for (const word of words) same.set(word, new Set([...(same.get(word) ?? []), ...words]));
  }
  return same;
}
