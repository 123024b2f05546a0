/* SPDX-License-Identifier: BSD-3-Clause */
/* Text as the world writes it: languages, scripts without blanks, pages, XML, mail, phrases,
   and what is kept of it. */
#include "corpus/text/text_builder.h"
#include "corpus/text/text_markup.h"
#include "folder.h"
#include "text_support.h"

#include <delaplace/build.h>

/* ---- scripts without blanks ---- */

/* The terms of one text without any rule, in the order of their bytes. */
static const char *terms_of(const char *text, dlp_text_report *report)
{
    const dlp_text_settings s = every_word();
    dlp_text_builder *b = start(&s);
    add(b, text);
    dlp_corpus *c = finish(b, report);
    const char *terms = vocabulary(c);
    dlp_corpus_free(c);
    return terms;
}

static void scripts_without_blanks_have_words(void **state)
{
    (void)state;
    dlp_text_report r;
    if (!dlp_build_facts().icu) {
        assert_string_equal(terms_of("机器学习方法", &r), "机器学习方法");
        assert_int_equal(r.unsegmented_runs, 1);
        return;
    }
    assert_string_equal(terms_of("我们使用机器学习方法分析文本。", &r),
                        "使用 分析 学习 我们 文本 方法 机器");
    assert_int_equal(r.segmented_runs, 1);
    assert_string_equal(terms_of("東京は日本の首都です。", &r),
                        "です の は 日本 東京 首都");
    assert_string_equal(terms_of("ฉันรักประเทศไทยและอาหารไทย", &r),
                        "ฉัน ประเทศไทย รัก อาหาร และ ไทย");
    assert_string_equal(terms_of("ខ្ញុំស្រឡាញ់ប្រទេសកម្ពុជា", &r), "កម្ពុជា ខ្ញុំ ប្រទេស ស្រឡាញ់");
    /* Others' letters beside them, and Korean, which has blanks. */
    assert_string_equal(terms_of("Python语言 GPUを使う 한국어입니다", &r),
                        "gpu python を 使う 语言 한국어입니다");
}

static void long_runs_are_parted_too(void **state)
{
    (void)state;
    enum { TIMES = 20000 };
    static const char piece[] = "机器学习方法";
    char *text = malloc(TIMES * (sizeof piece - 1) + 1);
    assert_non_null(text);
    for (int i = 0; i < TIMES; i++)
        memcpy(text + (size_t)i * (sizeof piece - 1), piece, sizeof piece);
    dlp_text_report r;
    const dlp_text_settings s = every_word();
    dlp_text_builder *b = start(&s);
    add(b, text);
    add(b, "word");
    dlp_corpus *c = finish(b, &r);
    if (dlp_build_facts().icu) assert_true(r.kept_words > 3 * TIMES - 100);
    dlp_corpus_free(c);
    free(text);
}

/* A character of Han or kana is as long as two letters: two of them are a word. */
static void lengths_follow_the_script(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        dlp_index length;
    } cases[] = {{"abc", 3},  {"für", 3}, {"学习", 4},
                 {"パン", 4}, {"คน", 2},  {"don't", 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(dlpi_word_length(cases[i].word, strlen(cases[i].word)),
                         cases[i].length);
}

/* ---- languages ---- */

static const struct {
    const char *language, *text;
} samples[] = {
    {"english",
     "The committee said that it would not vote on the plan before the end of "
     "the week, and that others had been asked to wait."},
    {"german",
     "Der Ausbau der Windkraft soll nach dem Willen der Regierung schneller gehen, "
     "und das neue Gesetz wird noch in dieser Woche beraten."},
    {"french",
     "Les chercheurs de l'université ont montré que cette espèce vit dans les "
     "montagnes depuis plus de mille ans, mais on ne la voit pas souvent."},
    {"russian",
     "Учёные из университета нашли новый вид рыб, который живёт на большой "
     "глубине, и это было для них неожиданно."},
    {"spanish",
     "El gobierno anunció que las nuevas escuelas se abrirán en el norte del país "
     "y que no habrá más retrasos para los alumnos."},
    {"italian",
     "Il governo ha detto che le nuove scuole saranno aperte nel nord del paese e "
     "che non ci sono più ritardi per gli studenti."},
    {"portuguese",
     "O governo disse que as novas escolas serão abertas no norte do país e que "
     "não há mais atrasos para os alunos."},
    {"dutch",
     "De regering heeft gezegd dat de nieuwe scholen in het noorden van het land "
     "worden geopend en dat er geen vertraging meer is."},
    {"swedish",
     "Regeringen har sagt att de nya skolorna ska öppnas i norra delen av landet "
     "och att det inte blir några förseningar för eleverna."},
    {"finnish",
     "Hallitus sanoi, että uudet koulut avataan maan pohjoisosassa ja että se ei "
     "ole vielä valmis, mutta kaikki on kuitenkin hyvin."},
    {"turkish",
     "Hükümet yeni okulların bu yıl içinde ve daha çok kuzeyde açılacağını ama "
     "bunun için bir karar olmadığını söyledi."},
    {"hungarian",
     "A kormány azt mondta, hogy az új iskolák ebben az évben nyílnak meg, de ez "
     "még nem biztos, mert csak most kezdték el."},
    {"arabic",
     "قالت الحكومة إن المدارس الجديدة في هذا العام سوف تفتح من غير تأخير على كل حال "
     "وهذا ما كان"},
};

static void languages_are_found_by_their_stop_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        dlp_text_settings s = every_word();
        s.stop_words = "auto";
        dlp_text_builder *b = start(&s);
        add(b, samples[i].text);
        dlp_text_report r;
        dlp_corpus *c = finish(b, &r);
        assert_string_equal(r.language.name ? r.language.name : "none",
                            samples[i].language);
        assert_string_equal(r.stop_list, samples[i].language);
        assert_true(r.language.share > 0.2 && r.language.share <= 1);
        assert_true(r.language.second_share <= r.language.share);
        dlp_corpus_free(c);
    }
}

static void a_language_can_be_told(void **state)
{
    (void)state;
    dlp_text_report r;
    dlp_text_settings s = every_word();
    s.stop_words = "auto";
    s.language = "french";
    dlp_text_builder *b = start(&s);
    add(b, "les chats und die Hunde");
    dlp_corpus *c = finish(b, &r);
    assert_string_equal(vocabulary(c), "chats die hunde und");
    dlp_corpus_free(c);
    s.language = NULL;
    s.stem = "german"; /* shows it, too */
    b = start(&s);
    add(b, "les chats und die Hunde");
    c = finish(b, &r);
    assert_string_equal(vocabulary(c), "chats hunde les");
    assert_string_equal(r.stop_list, "german");
    dlp_corpus_free(c);
    s.stem = NULL; /* nothing shows it: English, which takes nothing away here */
    b = start(&s);
    add(b, "xxx yyy zzz");
    c = finish(b, &r);
    assert_null(r.language.name);
    assert_false(r.language.unclear);
    assert_string_equal(r.stop_list, "english");
    dlp_corpus_free(c);
    b = start(&s); /* nor here, in a text that is long enough, with a word of a list */
    for (int i = 0; i < 70; i++) add(b, i ? "xxx yyy zzz" : "xxx the zzz");
    c = finish(b, &r);
    assert_null(r.language.name);
    assert_true(r.language.unclear);
    dlp_corpus_free(c);
    s.language = "klingon";
    assert_fails(dlp_text_builder_alloc(&s, &b, error), DLP_EINVAL, "klingon");
    s.language = NULL;
    s.markup = "rtf";
    assert_fails(dlp_text_builder_alloc(&s, &b, error), DLP_EINVAL, "rtf");
}

/* Every language with a stemmer has stop words, which are words as the text's are. */
static void every_stemmer_has_stop_words(void **state)
{
    (void)state;
    for (int i = 0; dlp_text_stemmer_name(i); i++)
        assert_non_null(dlpi_text_language_of_stemmer(dlp_text_stemmer_name(i)));
    for (int i = 0; dlp_text_stop_list_name(i); i++) {
        struct dlpi_string_set set = {0};
        assert_ok(dlpi_text_stop_set(dlp_text_stop_list_name(i), &set, error));
        assert_true(set.count > 40);
        dlpi_string_set_clear(&set);
    }
}

/* ---- markup ---- */

/* The text of a document as it is kept. */
static const char *plain_text(const char *text, size_t size, dlp_text_report *report)
{
    static char out[1 << 14];
    dlp_text_settings s = every_word();
    s.markup = "auto";
    s.keep_text = 1;
    dlp_text_builder *b = start(&s);
    assert_ok(dlp_text_builder_add(b, NULL, text, size, error));
    add(b, "word");
    dlp_corpus *c = finish(b, report);
    snprintf(out, sizeof out, "%s", c->text[0]);
    dlp_corpus_free(c);
    return out;
}

#define assert_plain(text, expected, r)                                                  \
    assert_string_equal(plain_text((text), sizeof(text) - 1, (r)), (expected))

static void pages_are_read_without_tags(void **state)
{
    (void)state;
    dlp_text_report r;
    if (!dlp_build_facts().libxml2) {
        assert_plain("<p>a</p>", "<p>a</p>", &r);
        assert_int_equal(r.markup_kept, 1);
        return;
    }
    assert_plain(
        "<!doctype html><title>T</title><style>p{}</style>"
        "<script>var x = \"<p>secret</p>\";</script><p>Tea &amp; caf&eacute;<p>"
        "un<b>break</b>able <a href='x'>link</div>",
        "T\n\nTea & caf\u00e9\n\nunbreakable link\n\n", &r);
    assert_int_equal(r.html_documents, 1);
    /* Fragments, unclosed tags, what only looks like a tag, a Latin-1 page. */
    assert_plain("first<br>second <b>third", "first\n\nsecond third\n\n", &r);
    assert_plain("if a < b and c > d then <x> is y", "if a < b and c > d then <x> is y",
                 &r);
    assert_int_equal(r.html_documents, 0);
    assert_plain("<p title='", "<p title='", &r);
    /* What speaks of scripts is read to its end; a page that was cut off in one is a page. */
    assert_plain("put <script> before the rest", "put <script> before the rest", &r);
    assert_plain("the <STYLE>p{}</style> of a <style> tag, in a <b>",
                 "the <STYLE>p{}</style> of a <style> tag, in a <b>", &r);
    assert_plain("a <b>word</b><script>x</script> more", "a word\n\nmore\n\n", &r);
    assert_plain("<p>page</p><script>var x", "page\n\n", &r);
    assert_plain("<html><p>caf\xe9</p>", "caf\u00e9\n\n", &r);
    assert_plain("<p>zero\0byte</p>", "zero byte\n\n", &r);
}

static void xml_is_read_without_tags_and_bombs(void **state)
{
    (void)state;
    dlp_text_report r;
    if (!dlp_build_facts().libxml2) skip();
    assert_plain("<?xml version=\"1.0\"?><a><b>one</b><c x='y'>two &lt;3</c></a>",
                 "one\n\ntwo <3\n\n", &r);
    assert_int_equal(r.xml_documents, 1);
    static const char bomb[] =
        "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY a 'lol'><!ENTITY b "
        "'&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>"
        "<!ENTITY f SYSTEM 'file:///etc/passwd'>]><a>x &c; &f; y</a>";
    assert_plain(bomb, "x y\n\n", &r);
    assert_plain("<?xml version='1.0'?><a><b>not closed", "not closed\n\n", &r);
    assert_plain("<?xml version='1.0'?><a>caf\xe9</a>", "caf\u00e9\n\n", &r);
}

/* What libxml2 would need the square of its length for is read as text. */
static void hostile_pages_end_soon(void **state)
{
    (void)state;
    enum { TIMES = 100000 };
    dlp_text_report r;
    if (!dlp_build_facts().libxml2) skip();
    char *text = malloc(8 * TIMES + 16);
    assert_non_null(text);
    size_t size = 0;
    for (int i = 0; i < TIMES; i++) size += (size_t)sprintf(text + size, "<div>");
    (void)plain_text(text, size, &r);
    assert_int_equal(r.markup_kept, 1);
    size = (size_t)sprintf(text, "<p");
    for (int i = 0; i < TIMES; i++)
        size += (size_t)sprintf(text + size, " a%d", i % 9999);
    size += (size_t)sprintf(text + size, ">b</p>");
    (void)plain_text(text, size, &r);
    assert_int_equal(r.markup_kept, 1);
    free(text);
}

static void mail_is_read_without_headers(void **state)
{
    (void)state;
    dlp_text_report r;
    assert_plain(
        "From: a@b.c\r\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= aus\r\n "
        "=?iso-8859-1?B?S/ZsbiBhbSBSaGVpbg==?=\r\nContent-Type: "
        "text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: "
        "quoted-printable\r\n\r\nSch=F6n, wunder=\r\nbar =\r\n> "
        "quoted\r\n> quoted\r\n-- \r\nsignature\r\n",
        "Gr\u00fc\u00dfe aus K\u00f6ln am Rhein\n\nSch\u00f6n, wunderbar > quoted\n\n",
        &r);
    assert_int_equal(r.mail_documents, 1);
    assert_plain(
        "From: x\nSubject: s\nContent-Type: multipart/mixed; boundary=\"b\"\n\nno\n"
        "--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\nContent-Type: "
        "text/html\n\n<p>page</p>\n--c\nContent-Type: text/plain; charset=utf-8\n"
        "Content-Transfer-Encoding: base64\n\ncGxhaW4gdMOpeHQ=\n--c--\n--b\n"
        "Content-Type: text/plain\nContent-Disposition: attachment\n\nfile\n--b--\n",
        "s\n\nplain t\u00e9xt\n\n", &r);
    /* As many mails begin, and a text that has a colon in its first line. */
    assert_plain("From: a\nNewsgroups: rec\n\nHello", "Hello\n\n", &r);
    assert_plain("Note: this is text\n\nand more", "Note: this is text\n\nand more", &r);
    assert_int_equal(r.mail_documents, 0);
    /* Parts without an end, within themselves, and a header that is cut. */
    assert_plain(
        "From: a\nTo: b\nContent-Type: multipart/mixed; boundary=x\n\n--x\n"
        "Content-Type: multipart/mixed; boundary=x\n\n--x\nlost",
        "\n", &r);
    assert_plain("From: a\nTo: b\nSubject: =?utf-8?q?cut",
                 "From: a\nTo: b\nSubject: "
                 "=?utf-8?q?cut",
                 &r);
}

/* ---- phrases ---- */

static void phrases_are_found_by_a_test(void **state)
{
    (void)state;
    dlp_text_settings s = every_word();
    s.stop_words = "english";
    s.min_length = 3;
    s.min_documents = 5;
    s.phrases = 1;
    dlp_text_builder *b = start(&s);
    static const char *const filler[] = {"green", "house", "river", "stone",
                                         "cloud", "bread", "music", "paper"};
    for (int i = 0; i < 60; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "%s %s. We live in New York City and %s the %s; machine "
                 "learning: %s, york",
                 filler[i % 8], filler[(i * 3 + 1) % 8], filler[(i * 5 + 2) % 8],
                 filler[i * 7 % 8], filler[(i + i / 8) % 8]);
        add(b, text);
    }
    dlp_text_report r;
    dlp_corpus *c = finish(b, &r);
    assert_non_null(strstr(vocabulary(c), "new_york_city"));
    assert_non_null(strstr(vocabulary(c), "machine_learning"));
    assert_null(strstr(vocabulary(c), "green_"));
    assert_int_equal(r.phrases, 2);
    dlp_corpus_free(c);
}

static void phrases_can_be_given(void **state)
{
    (void)state;
    dlp_text_settings s = every_word();
    s.stem = "english";
    static const char list[] = "topic model # comment\nDepartment of Defense\n\n";
    dlp_text_builder *b = start(&s);
    assert_ok(dlp_text_builder_phrases(b, list, strlen(list), error));
    add(b,
        "Topic models, topic, model. The department of defense; department. Of defense");
    dlp_text_report r;
    dlp_corpus *c = finish(b, &r);
    assert_string_equal(vocabulary(c),
                        "defense department department_of_defense model of the topic "
                        "topic_models");
    assert_int_equal(r.phrase_words, 2);
    /* Its vocabulary reads new text in the same way. */
    b = start(&s);
    assert_ok(dlp_text_builder_terms(b, c->vocab, c->V, error));
    dlp_text_place place[8];
    dlp_index n = 0;
    static const char text[] = "A topic model of the topics";
    assert_ok(dlp_text_builder_places(b, text, strlen(text), 8, place, &n, error));
    assert_int_equal(n, 4);
    assert_string_equal(c->vocab[place[0].term], "topic_models");
    assert_int_equal(place[0].start, 2);
    assert_int_equal(place[0].end, 13);
    assert_string_equal(c->vocab[place[3].term], "topic");
    add(b, text);
    dlp_corpus *read = finish(b, &r);
    assert_int_equal(read->words, 4);
    dlp_corpus_free(read);
    dlp_corpus_free(c);
    b = start(&s);
    assert_fails(dlp_text_builder_phrases(b, "one\n", 4, error), DLP_EINPUT, "one word");
    dlp_text_builder_free(b);
}

/* ---- what is kept ---- */

/* As in stm: terms that are stems, of which some have one stem. */
static void stems_read_new_text(void **state)
{
    (void)state;
    static const char *const stems[] = {
        "happi", "connect", "citi",  "polit",   "famili",  "econom",  "nation", "studi",
        "peopl", "govern",  "chang", "centuri", "parti",   "countri", "polici", "elect",
        "vote",  "immigr",  "secur", "senat",   "univers", "generat"};
    enum { N = sizeof stems / sizeof stems[0] };
    char *term[N];
    for (int i = 0; i < N; i++) term[i] = strdup(stems[i]);
    dlp_text_settings s = every_word();
    s.stem = "english";
    dlp_text_builder *b = start(&s);
    assert_ok(dlp_text_builder_terms(b, term, N, error));
    add(b, "Happy cities, connected families: happiness");
    dlp_text_report r;
    dlp_corpus *c = finish(b, &r);
    assert_int_equal(r.kept_words, 5);
    assert_int_equal(r.unknown.words, 0);
    dlp_corpus_free(c);
    for (int i = 0; i < N; i++) free(term[i]);
}

static void text_and_origin_are_kept_beside_the_corpus(void **state)
{
    (void)state;
    char path[512], vocab[512];
    snprintf(path, sizeof path, "%s/kept.ldac", folder);
    snprintf(vocab, sizeof vocab, "%s/kept.vocab", folder);
    dlp_text_settings s = every_word();
    s.keep_text = 1;
    s.stem = "english";
    s.keep_numbers = 1;
    dlp_text_builder *b = start(&s);
    add(b, "Running \"quoted\"\nruns 42");
    add(b, "\xff bytes\x01");
    dlp_corpus *c = finish(b, NULL);
    assert_ok(dlp_corpus_write(c, path, NULL, error));
    dlp_corpus_options options = dlp_corpus_options_default();
    dlp_corpus *back = NULL;
    assert_ok(dlp_corpus_open(path, &options, &back, error));
    assert_null(back->text);
    assert_string_equal(back->origin, c->origin);
    dlp_corpus_free(back);
    options.text = 1;
    assert_ok(dlp_corpus_open(path, &options, &back, error));
    assert_string_equal(back->text[0], c->text[0]);
    const unsigned char keep[] = {0, 1};
    dlp_corpus *part = NULL;
    assert_ok(dlp_corpus_select(back, keep, &part, error));
    assert_string_equal(part->text[0], back->text[1]);
    assert_string_equal(part->origin, c->origin);
    dlp_corpus_free(part);
    dlp_corpus_free(back);

    /* New text is read as the terms were made, without being told. */
    const dlp_text_settings plain = every_word();
    b = start(&plain);
    assert_ok(dlp_text_builder_read_terms(b, vocab, error));
    add(b, "runner run 42");
    dlp_text_report r;
    dlp_corpus *new = finish(b, &r);
    assert_string_equal(r.stem, "english");
    assert_int_equal(r.kept_words, 2);
    dlp_corpus_free(new);

    /* Text of another corpus is not taken for this one's. */
    free(c->text);
    c->text = NULL;
    assert_fails(dlp_corpus_write(c, path, NULL, error), DLP_EINVAL, "kept.text.jsonl");
    dlp_corpus_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_without_blanks_have_words),
        cmocka_unit_test(long_runs_are_parted_too),
        cmocka_unit_test(lengths_follow_the_script),
        cmocka_unit_test(languages_are_found_by_their_stop_words),
        cmocka_unit_test(a_language_can_be_told),
        cmocka_unit_test(every_stemmer_has_stop_words),
        cmocka_unit_test(pages_are_read_without_tags),
        cmocka_unit_test(xml_is_read_without_tags_and_bombs),
        cmocka_unit_test(hostile_pages_end_soon),
        cmocka_unit_test(mail_is_read_without_headers),
        cmocka_unit_test(phrases_are_found_by_a_test),
        cmocka_unit_test(phrases_can_be_given),
        cmocka_unit_test(stems_read_new_text),
        cmocka_unit_test(text_and_origin_are_kept_beside_the_corpus),
    };
    return cmocka_run_group_tests(tests, go, leave);
}
