//! Models whose texts try to become a part of the page.

use crate::gallery::data_of;
use crate::support::Case;

/// Comments, a name of a file, a property and printed texts that are markup.
pub const TEXT: &str =
    "/* </script><script>window.broken = 1</script> <!-- <img src=x onerror='window.broken = 2'> */
mtype = { hello };
chan q = [2] of { mtype, byte };
byte x;
active proctype P() {
    printf(\"</script><b onclick='x'>%d</b>\\n\", x); // \"'><svg/onload=window.broken=3>
    q!hello,1;
    x++
}
active proctype Q() {
    byte y;
    q?hello,y;
    x = x + y;
    assert(x < 2 && \"</title><script>\" != 0 || x < 2) /* ]]> & &amp; &lt;/script&gt; \u{2028} */
}
";

/// The model, under a name that is markup, too.
pub fn case() -> Case {
    let text = TEXT.replace(" && \"</title><script>\" != 0 || x < 2", "");
    Case::of("<img src=x onerror=window.broken=4>.pml", &text, &[])
}

#[test]
fn nothing_that_a_model_says_is_markup() {
    let case = case();
    let page = case.page();
    // The only elements of scripts and styles are those of the page itself.
    for (tag, count) in [
        ("<script", 2),
        ("</script", 2),
        ("<style", 1),
        ("</style", 1),
        ("</title", 1),
        ("<img", 0),
        ("<!--", 0),
    ] {
        assert_eq!(page.matches(tag).count(), count, "{tag}");
    }
    let data = data_of(&page);
    let text = case.loaded.sources.files().next().expect("a file").1.text();
    assert!(text.contains("</script>"));
    assert_eq!(data["sources"][0]["text"], text);
    assert!(page.contains("Content-Security-Policy"));
    assert!(page.contains("default-src 'none'"));
}
