/**
 * Traditional characters that occur in this folder's rules, and the most common others; `SIMPLIFIED` has their
 * simplified forms in the same order. Tokens are made with them: adding a character requires a new `INDEX_VERSION`.
 */
const TRADITIONAL =
  "業兩個為習書買爭親從們會體決準減劃剛別務醫單壓厭廚參發號嘆後嗎聽員團國聲備復複夠頭媽學寧實寶對導盡歲師幫應開棄彈當懷總惡慣願戶擾護報擇換據無時術機權條來構樣歡畢沒潔潤煙煩愛爺貓現碼確禮離種稱簡粵約線終經結給網職節薦見視覺計訂認討讓議記講許論設證識訴譯試話語說請諾讀誰談質車輛辯達過還這遠遲選遞採釋裡裏鐘鑰錯長問間隊難韓須預顏題風飛飯馬駕罵驗騎聞寫萬幾麼兒養雙屬檢僅關點週紀漢遊鏡暈辭丟張劉陳楊黃趙吳孫羅鄭謝馮鄧葉蘇呂盧鍾譚陸範賈錢顧龍湯臺隻電腦動場園館費郵鐵藝雞魚麵廣運課類東樂產區縣鄉島灣廳樓層鳥豬藥療診訊該項專劇戲畫圖筆紙簽銷價賣貴賬帳債險稅倉廠創辦責極標營獎賽練聖誕齡婦嬰紅綠藍熱涼濕乾淺舊輕軟緊鬆滿處邊內進連續繼歸飲鹽醬蘋蘿蔔餅雲臉髮腳膚衛測傳統絡檔資庫編鍵螢濾訓優蔣魯廬慶瀋陽廈濟";
const SIMPLIFIED =
  "业两个为习书买争亲从们会体决准减划刚别务医单压厌厨参发号叹后吗听员团国声备复复够头妈学宁实宝对导尽岁师帮应开弃弹当怀总恶惯愿户扰护报择换据无时术机权条来构样欢毕没洁润烟烦爱爷猫现码确礼离种称简粤约线终经结给网职节荐见视觉计订认讨让议记讲许论设证识诉译试话语说请诺读谁谈质车辆辩达过还这远迟选递采释里里钟钥错长问间队难韩须预颜题风飞饭马驾骂验骑闻写万几么儿养双属检仅关点周纪汉游镜晕辞丢张刘陈杨黄赵吴孙罗郑谢冯邓叶苏吕卢钟谭陆范贾钱顾龙汤台只电脑动场园馆费邮铁艺鸡鱼面广运课类东乐产区县乡岛湾厅楼层鸟猪药疗诊讯该项专剧戏画图笔纸签销价卖贵账帐债险税仓厂创办责极标营奖赛练圣诞龄妇婴红绿蓝热凉湿干浅旧轻软紧松满处边内进连续继归饮盐酱苹萝卜饼云脸发脚肤卫测传统络档资库编键萤滤训优蒋鲁庐庆沈阳厦济";

const SIMPLE = new Map(Array.from(TRADITIONAL, (sign, index) => [sign, SIMPLIFIED.charAt(index)]));
const NOT_ASCII = /[^\0-\x7f]/;
const ANY = new RegExp(`[${TRADITIONAL}]`, "g");

/**
 * Returns a text of the same length in simplified characters, as the rules read it: both scripts then match the same
 * rules.
 */
export function simplified(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text.replace(ANY, (sign) => SIMPLE.get(sign) ?? sign);
}
