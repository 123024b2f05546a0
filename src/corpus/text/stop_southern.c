/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of grammar in Arabic, Hindi, Nepali, Tamil, Indonesian and Irish; and in languages
   without blanks between words, which have no stems but many such words. */
#include "corpus/text/stop_lists.h"

const char dlpi_stop_arabic[] =
    "في من على إلى الى عن مع هذا هذه ذلك تلك هؤلاء أولئك الذي التي الذين اللاتي اللذان "
    "ما ماذا\n"
    "لماذا كيف متى أين هل هو هي هم هن أنا انا أنت نحن أنتم كان كانت كانوا يكون تكون ليس "
    "ليست\n"
    "لم لن لا قد لقد أن ان إن أنه انه أنها انها إنه إنها لأن لكن ولكن أو او أم ثم حتى "
    "إذا اذا\n"
    "إذ لو كل كما بعد قبل بين عند عندما منذ خلال حول ضد دون غير سوى فوق تحت أمام وراء أي "
    "اي\n"
    "أيضا ايضا فقط جدا به بها بهم له لها لهم لنا منه منها منهم فيه فيها فيهم عليه عليها "
    "عليهم\n"
    "إليه إليها عنه عنها وفي ومن وعلى وهو وهي وقد وكان وكانت ولا ولم وما وأن وان وإن ومع "
    "بأن\n"
    "بان مما فما هناك هنا حيث حين بعض أكثر أقل يمكن يجب تم يتم وقد كذلك نفس نفسه أحد\n";

const char dlpi_stop_hindi[] =
    "के का की को में से है हैं था थे थी और या पर ने यह वह ये वे इस उस इन उन एक भी कि जो तो ही नहीं "
    "न\n"
    "कर करना करने करता करते किया गया गई गए हो होता होती होते हुआ हुई हुए रहा रही रहे लिए साथ तक "
    "अब\n"
    "जब तब कब यहाँ वहाँ कहाँ कैसे क्या क्यों कौन कोई कुछ सब सभी अपने अपना अपनी मैं मुझे मेरा मेरी हम\n"
    "हमें हमारे तुम आप आपके उसे उसका उसकी उसके उन्हें उनका उनकी उनके इसे इसका इसकी इसके इन्हें जिस\n"
    "जिसे जिसका जिन किसी बहुत अधिक कम बाद पहले द्वारा बीच ऊपर नीचे लेकिन परंतु अगर यदि क्योंकि जैसे\n"
    "ऐसे वाले वाला वाली होने था जाता जाती जाते सकता सकती सकते दिया दो बारे\n";

const char dlpi_stop_nepali[] =
    "र छ छन् हो हुन् थियो थिए को का की ले लाई मा बाट सँग देखि सम्म पनि यो त्यो यी ती यस त्यस एक "
    "गर्न\n"
    "गरेको गरेका गर्ने गर्दै गरी भएको भएका भने भनेर भयो हुने हुन्छ हुन लागि तर वा नै म हामी तिमी तपाईं\n"
    "उनी उनले उनीहरू मेरो हाम्रो उनको आफ्नो जो जसले जुन के कुन कसरी किन कहाँ कहिले जब तब यदि धेरै\n"
    "थोरै सबै अन्य अर्को पछि अघि माथि तल बीच द्वारा तथा एवं भन्ने छैन थिएन होइन दुई\n";

const char dlpi_stop_tamil[] =
    "ஒரு என்று மற்றும் இந்த இது என்ற கொண்டு என்பது பல ஆகும் அல்லது அவர் நான் உள்ள அந்த இவர் என\n"
    "முதல் என்ன இருந்து சில என் போன்ற வேண்டும் வந்து இதன் அது அவன் தான் பலரும் என்னும் மேலும் பின்னர்\n"
    "கொண்ட இருக்கும் தனது உள்ளது போது என்றும் அதன் தன் பிறகு அவர்கள் வரை அவள் நீ ஆகிய இருந்தது உள்ளன\n"
    "வந்த இருந்த மிகவும் இங்கு மீது ஓர் இவை இந்தக் பற்றி வரும் வேறு இரு இதில் போல் இப்போது அவரது "
    "மட்டும்\n"
    "இந்தப் எனும் மேல் பின் சேர்ந்த ஆகியோர் எனக்கு இன்னும் அந்தப் அன்று ஒரே மிக அங்கு பல்வேறு விட்டு "
    "பெரும்\n"
    "அதை பற்றிய உன் அதிக அந்தக் பேர் இதனால் அவை அதே ஏன் முறை யார் என்பதை எல்லாம் இங்கே அங்கே இடம்\n";

const char dlpi_stop_indonesian[] =
    "yang dan di ke dari untuk dengan pada adalah ini itu dalam oleh sebagai tidak akan "
    "juga\n"
    "atau karena saat telah sudah belum bisa dapat ada menjadi lebih saja hanya bahwa "
    "serta\n"
    "namun tetapi tapi jika kalau agar supaya maka ketika sementara setelah sebelum "
    "hingga\n"
    "sampai sejak antara terhadap tentang atas bawah tanpa bagi para saya aku kamu anda "
    "dia ia\n"
    "kami kita mereka nya ku mu apa siapa kapan mana bagaimana mengapa kenapa semua "
    "setiap\n"
    "beberapa banyak sedikit lain lainnya sama sendiri sangat sekali masih lagi pun lah "
    "kah\n"
    "hal secara yaitu yakni seperti begitu demikian tersebut jadi harus perlu ingin mau "
    "pernah\n"
    "bukan jangan sini sana situ dua satu suatu sebuah seorang per merupakan tak ya "
    "terus\n";

const char dlpi_stop_irish[] =
    "an na a i ag ar as do go le de ó um faoi chun roimh thar trí idir gan mar nuair má "
    "dá\n"
    "agus nó ach is ní níl tá bhí bíonn beidh bheadh raibh bhfuil atá ba gur nach nár "
    "cad cé\n"
    "cá conas cathain cén mé tú sé sí muid sinn sibh siad é í iad mo do bhur seo sin "
    "siúd\n"
    "féin eile gach aon uile dó di dom duit dúinn daoibh dóibh aige aici agam agat "
    "againn acu\n"
    "air uirthi orm ort orainn orthu leis léi liom leat linn leo ann inti sa san den don "
    "ón\n"
    "níos is mó anois ansin anseo fós arís riamh chomh dhá ná mura sula\n";

const char dlpi_stop_chinese[] =
    "的 了 是 在 和 与 與 也 就 都 而 及 或 这 這 那 我 你 他 她 它 我们 我們 你们 你們 "
    "他们 他們\n"
    "她们 它们 自己 这个 這個 那个 那個 这些 這些 那些 这样 這樣 那样 一个 一個 一些 "
    "一种 不 没 没有\n"
    "沒有 有 被 把 让 讓 给 給 对 對 对于 對於 从 從 到 由 以 为 為 为了 為了 因为 因為 "
    "所以 但 但是\n"
    "如果 虽然 雖然 然而 而且 并 並 并且 並且 还 還 还是 又 再 很 更 最 太 已 已经 已經 "
    "正在 将 將 会\n"
    "會 能 能够 可以 可能 要 应该 應該 需要 什么 什麼 怎么 怎麼 如何 哪 谁 誰 多少 几 中 "
    "上 下 里 裡\n"
    "后 後 前 之 之间 其 其中 其他 该 該 每 各 个 個 着 著 过 過 地 得 吗 嗎 呢 吧 啊 等 "
    "通过 通過\n"
    "根据 根據 关于 關於 以及 因此 于 於 时 時 时候 便 却 卻 只 只有 进行 進行 则 則 此 "
    "当 當\n";

const char dlpi_stop_japanese[] =
    "の に は を た が で て と し れ さ ある いる も する から な こと として い や "
    "れる など なっ ない\n"
    "この ため その あっ よう また もの という あり まで られ なる へ か だ これ "
    "によって により おり より\n"
    "による ず なり られる において なかっ なく しかし について せ だっ その後 できる "
    "それ う ので なお のみ\n"
    "でき き つ における および いう さらに でも ら たり その他 に関する たち ます ん "
    "なら に対して です まし\n"
    "ました でした ません れた した して いた いて である あの どの ここ そこ あそこ "
    "どこ だれ 何 私 あなた\n"
    "彼 彼女 我々 それら これら もう まだ とても そして また すると だから けれど "
    "けれども ながら ば ね よ\n"
    "わ ぞ ても のに だけ しか ほど くらい ぐらい とき ところ ください くる いく "
    "なかった ように ような\n"
    "そう こう ああ どう なぜ いつ 的 性 化 同 各 他 中 上 等 およそ べき せる させる "
    "しまう おく みる\n";

const char dlpi_stop_thai[] =
    "ที่ และ ใน ของ เป็น ได้ มี การ ว่า จะ ไม่ ให้ กับ ก็ แต่ หรือ นี้ นั้น จาก โดย ไป มา อยู่ แล้ว ยัง คือ\n"
    "ซึ่ง เพื่อ ถึง เมื่อ ด้วย กัน ตาม อีก เขา เรา ผม ฉัน คุณ เธอ มัน พวก ท่าน อะไร ใคร ไหน อย่างไร "
    "ทำไม\n"
    "เพราะ ถ้า หาก จึง เพียง เท่านั้น ทุก บาง หลาย มาก น้อย กว่า ที่สุด ความ อย่าง แบบ ต้อง ควร อาจ "
    "สามารถ\n"
    "ถูก เคย กำลัง ขึ้น ลง ออก เข้า ต่อ บน ใต้ ระหว่าง หลัง ก่อน นอกจาก ทั้ง ต่าง ๆ นะ ครับ ค่ะ คะ สิ นี่\n"
    "นั่น เช่น ดัง จน ตั้งแต่ เอง ตัว ใด ผู้ สำหรับ เกี่ยวกับ รวม พร้อม อื่น เพิ่ม\n";

const char dlpi_stop_khmer[] =
    "និង ជា នៅ ក្នុង ដែល បាន មាន ការ របស់ នេះ នោះ ទៅ មក ពី ដោយ ឲ្យ ឱ្យ ក៏ តែ ប៉ុន្តែ ឬ ថា ហើយ នឹង\n"
    "មិន ទេ គឺ ដើម្បី សម្រាប់ ជាមួយ លើ ក្រោម មុន ក្រោយ ខ្ញុំ អ្នក គាត់ យើង គេ វា ពួក អ្វី ណា ពេល បើ\n"
    "ដូច គ្រប់ ទាំង ច្រើន តិច ណាស់ ត្រូវ អាច កំពុង ទៀត ផង តាម រវាង ចំពោះ អំពី ព្រោះ ខាង មួយ ៗ\n";
