/**
 * Colours by the reader's own scheme, with contrast of 4.5 and more in both; a frame keeps its shape before it loads.
 * On paper: posters only, three a row, no card over a page's end, whole briefs.
 */
export const galleryStyle = `
:root{color-scheme:light dark;--ground:#f6f5f2;--card:#fff;--ink:#1d1d1b;--soft:#5d5b55;--line:#dcd9d1;--ok:#1d6b3a;--review:#8a5200;--none:#5d5b55;--stage:#e9e6df}
@media (prefers-color-scheme:dark){:root{--ground:#151513;--card:#1f1e1c;--ink:#efede8;--soft:#aaa69c;--line:#37352f;--ok:#6fce90;--review:#e7ae5a;--none:#aaa69c;--stage:#0c0c0b}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
header{padding:28px clamp(16px,4vw,48px) 12px;border-bottom:1px solid var(--line)}
h1{margin:0;font-size:24px;letter-spacing:-.01em;overflow-wrap:anywhere}
header p{margin:6px 0 0;max-width:75ch;overflow-wrap:anywhere}
header .summary{margin-bottom:12px;color:var(--soft);max-width:none;display:flex;flex-wrap:wrap;gap:0 14px}
.show{border:0;margin:0 0 8px;padding:0;display:flex;gap:4px 18px;flex-wrap:wrap}
.show legend{float:left;padding:0;margin-inline-end:14px;color:var(--soft)}
.show label{cursor:pointer;min-height:24px}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(280px,100%),1fr));gap:20px;padding:24px clamp(16px,4vw,48px)}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:10px;overflow:hidden;display:flex;flex-direction:column}
.frame{height:280px;background:var(--stage);padding:10px}
.frame summary,.bare,div.frame{display:flex;align-items:center;justify-content:center}
.frame summary{height:260px;cursor:pointer;list-style:none;position:relative}
.frame summary::-webkit-details-marker{display:none}
.frame summary::after{content:"";position:absolute;left:10px;bottom:10px;width:40px;height:40px;border-radius:50%;background:#000b}
.frame summary::before{content:"";position:absolute;z-index:1;left:25px;bottom:22px;border-style:solid;border-width:8px 0 8px 13px;border-color:transparent transparent transparent #fff}
.frame[open] summary{display:none}
.frame img,.frame video,.empty{display:block;margin:auto;max-width:100%;max-height:260px;border-radius:4px}
.frame img{object-fit:contain}
.frame video{background:#000}
.frame [style*="16 / 9"]{width:100%;height:auto}
.frame :not([style*="16 / 9"])[style]{height:260px;width:auto}
.frame[open]{display:flex;align-items:center;justify-content:center}
.empty{display:flex;align-items:center;justify-content:center;border:2px dashed var(--line);color:var(--soft);padding:0 20px}
figcaption{padding:12px 14px 14px}
figcaption p,h2{margin:0 0 4px;overflow-wrap:anywhere}
h2.name{font-size:15px;font-weight:600;display:flex;gap:8px;align-items:baseline}
.name b{color:var(--soft);font-variant-numeric:tabular-nums}
.mark{margin-inline-start:auto;font-weight:600;white-space:nowrap;font-size:13px}
.ok .mark{color:var(--ok)}.ok .mark::before{content:"\\2713\\a0"}
.review .mark{color:var(--review)}.review .mark::before{content:"\\25B2\\a0"}
.none .mark{color:var(--none)}
.size{color:var(--soft);font-variant-numeric:tabular-nums}
.got{color:var(--review)}
.got::before{content:"\\2192\\a0"}
.why{color:var(--review)}
.prompt{display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden;color:var(--soft);font-size:14px}
.links{display:flex;gap:14px;font-size:14px}
.links a,nav a,.summary a{display:inline-block;min-height:24px}
nav{display:flex;gap:18px;justify-content:center;padding:8px 0 40px}
a{color:inherit}
:focus-visible{outline:3px solid #2563eb;outline-offset:2px}
body:has(input[value=ok]:checked) figure:not(.ok),body:has(input[value=review]:checked) figure:not(.review),body:has(input[value=none]:checked) figure:not(.none){display:none}
@media print{
:root{color-scheme:light;--ground:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--ok:#1d6b3a;--review:#8a5200;--none:#444;--stage:#fff}
@page{margin:12mm}
body{font-size:10pt}
header{padding:0 0 8px}
.show,nav,.links,.summary a,.frame summary::before,.frame summary::after,.frame video{display:none}
main{grid-template-columns:repeat(3,1fr);gap:10px;padding:10px 0;align-items:start}
figure{break-inside:avoid}
.frame{height:190px;padding:6px}
.frame summary,.frame[open] summary{display:flex;height:178px}
.frame img,.frame .empty{max-height:178px}
.frame :not([style*="16 / 9"])[style]{height:178px}
figcaption{padding:6px 10px 8px}
h2.name{font-size:10pt}
.prompt{display:block;font-size:9pt}
}
`.trim();
