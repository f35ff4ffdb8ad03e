/** Sentences with what is hard in each script: conjuncts, joined forms, marks, rare characters, punctuation of its own. */
export const scriptSamples = {
  Latin: 'Quick “Łódź” — naïve façade, 5 € & ½ litre… İzmir, Ærø, Việt Nam; ★ ✓ → ① ™',
  Cyrillic: 'Съешь же ещё этих мягких французских булок. Ґанок, їжак, њива.',
  Greek: 'Γειά σου Κόσμε· τί ἐστιν ἀρχή;',
  Arabic: 'في الصباح، تفتح المدينة أبوابها. كيف حالك؟ ١٢٣ پچژگ',
  Hebrew: 'בוקר טוב, עולם! נִקּוּד מָלֵא — 15 ₪',
  Devanagari: 'सुबह की रोशनी पहाड़ों पर फैलती है। क्षत्रिय, ज्ञान, र्‍य १२३',
  Chinese: '晨光照在海面上，小船慢慢驶向远方。「繁體字」龘𠮷',
  Japanese: '夜明けの海を、小さな船が静かに進んでいく。「ｶﾀｶﾅ」髙﨑',
  Korean: '아침 햇살이 바다 위로 번진다. 뷁, 똠방각하!',
  emoji: 'Launch 🚀 with coffee ☕ 👍🏽 🇫🇷 1️⃣ ❤️ 👩‍💻',
} as const;
