/** Colours by the reader's own scheme, with contrast of 4.5 and more in both; a frame keeps its shape before it loads. */
export const galleryStyle = `
:root{color-scheme:light dark;--ground:#f6f5f2;--card:#fff;--ink:#1d1d1b;--soft:#5d5b55;--line:#dcd9d1;--ok:#1d6b3a;--review:#8a5200;--none:#a3231f;--stage:#e9e6df}
@media (prefers-color-scheme:dark){:root{--ground:#151513;--card:#1f1e1c;--ink:#efede8;--soft:#aaa69c;--line:#37352f;--ok:#6fce90;--review:#e7ae5a;--none:#ff8f87;--stage:#0c0c0b}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
header{padding:28px clamp(16px,4vw,48px) 12px;border-bottom:1px solid var(--line)}
h1{margin:0;font-size:24px;letter-spacing:-.01em}
header p{margin:6px 0 12px;color:var(--soft)}
.show{border:0;margin:0 0 8px;padding:0;display:flex;gap:4px 18px;flex-wrap:wrap}
.show legend{float:left;padding:0;margin-right:14px;color:var(--soft)}
.show label{cursor:pointer;min-height:24px}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:20px;padding:24px clamp(16px,4vw,48px)}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:10px;overflow:hidden;display:flex;flex-direction:column}
.frame{height:260px;background:var(--stage);padding:10px}
div.frame,.frame summary{display:flex;align-items:center;justify-content:center}
.frame summary{height:240px;cursor:pointer;list-style:none;position:relative}
.frame summary::-webkit-details-marker{display:none}
.frame summary::after{content:"";position:absolute;width:44px;height:44px;border-radius:50%;background:#000a}
.frame summary::before{content:"";position:absolute;z-index:1;border-style:solid;border-width:9px 0 9px 15px;border-color:transparent transparent transparent #fff;margin-left:4px}
.frame[open] summary{display:none}
.frame video{display:block;margin:auto}
.frame video,.frame img{max-width:100%;max-height:240px;height:240px;background:#000;border-radius:4px;object-fit:contain}
.frame [style*="16 / 9"]{height:auto;width:100%}
.empty{max-width:100%;max-height:100%;height:80%;display:flex;align-items:center;justify-content:center;border:2px dashed var(--line);border-radius:6px;color:var(--soft);padding:0 20px}
figcaption{padding:12px 14px 14px}
figcaption p,h2{margin:0 0 4px;overflow-wrap:anywhere}
h2.name{font-size:15px;font-weight:400;display:flex;gap:8px;align-items:baseline}
.name b{color:var(--soft);font-weight:600;font-variant-numeric:tabular-nums}
.mark{margin-left:auto;font-weight:600;white-space:nowrap}
.ok .mark{color:var(--ok)}.ok .mark::before{content:"\\2713\\a0"}
.review .mark{color:var(--review)}.review .mark::before{content:"\\25B2\\a0"}
.none .mark{color:var(--none)}.none .mark::before{content:"\\2715\\a0"}
.size{color:var(--soft);font-variant-numeric:tabular-nums}
.why{color:var(--review)}.none .why{color:var(--none)}
.prompt{display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden;color:var(--soft);font-size:14px}
nav{display:flex;gap:18px;justify-content:center;padding:8px 0 40px}
a{color:inherit}
body:has(input[value=ok]:checked) figure:not(.ok),body:has(input[value=review]:checked) figure:not(.review),body:has(input[value=none]:checked) figure:not(.none){display:none}
@media print{.show,nav,.frame summary::after{content:"";position:absolute;width:44px;height:44px;border-radius:50%;background:#000a}
.frame summary::before{content:"";position:absolute;z-index:1;border-style:solid;border-width:9px 0 9px 15px;border-color:transparent transparent transparent #fff;margin-left:4px}.prompt{display:block}main{grid-template-columns:repeat(3,1fr);gap:10px;padding:10px 0}figure{break-inside:avoid}body{background:#fff;color:#000}}
`.trim();
