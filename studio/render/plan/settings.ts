/** Places that can be painted without any picture. */
export type Setting =
  | 'hills'
  | 'sea'
  | 'city'
  | 'sky'
  | 'space'
  | 'forest'
  | 'room'
  | 'stage'
  | 'network'
  | 'lights'
  | 'ribbons';

/** What falls or floats through a setting. */
export type Weather = 'rain' | 'snow' | 'confetti' | 'embers' | 'none';

type Vocabulary<Name> = readonly { readonly name: Name; readonly stems: readonly string[] }[];

/** Beginnings of words. */
const settingWords: Vocabulary<Setting> = [
  stems('sea', 'sea ocean beach wave sail boat ship harbor harbour island coast shore surfe surfi swim swimm lake'),
  stems('sea', 'river water fish whale meer strand mer plage mar playa море берег 海 바다 समुद्र بحر شاطئ ים חוף'),
  stems('forest', 'forest wood tree jungle leaf leaves wald forêt bosque лес дерев 森 林 숲 जंगल غاب شجر יער עצים'),
  stems('hills', 'mountain hill valley peak summit desert dune field meadow farm countryside landscape trail hike'),
  stems('hills', 'hiking climb canyon horizon berg montagne montaña гор 山 산 पहाड़ جبل جبال הר הרים'),
  stems('city', 'city cities town street urban skyline skyscraper tower building traffic taxi subway metro bridge'),
  stems(
    'city',
    'neighborhood neighbourhood downtown stadt ville ciudad город улиц 城 街 都市 都会 도시 거리 शहर مدين شارع עיר רחוב',
  ),
  stems('space', 'space planet galax cosmos astronaut rocket orbit moon mars universe weltraum espace espacio космос'),
  stems('space', '宇宙 우주 अंतरिक्ष فضاء חלל'),
  stems('sky', 'sky skies cloud fly flies flying bird plane balloon kite wind sunrise sunset dawn morning himmel ciel'),
  stems('sky', 'cielo небо утр 天空 青空 晨 朝 하늘 아침 आकाश सुबह سماء صباح שמיים בוקר'),
  stems('room', 'home house kitchen room table breakfast coffee cafe café baker bakes baking bread restaurant family'),
  stems(
    'room',
    'window sofa bed cook cooks cooking library book haus maison casa дом кухн 家里 家庭 我が家 部屋 집 घर بيت בית',
  ),
  stems('network', 'data digital software app apps algorithm artificial robot network internet online platform code'),
  stems('network', 'computer cyber tech technolog signal machine данны 数据 데이터'),
  stems(
    'stage',
    'product bottle shoe sneaker watch phone perfume collection launch introduc unveil brand logo produkt',
  ),
  stems('stage', 'produit producto продукт 产品 製品 商品 제품 उत्पाद منتج מוצר'),
  stems(
    'lights',
    'night party concert music dance festival celebrat club neon nacht nuit noche ноч 夜 밤 रात ليل לילה',
  ),
];

const weatherWords: Vocabulary<Weather> = [
  stems('rain', 'rain rainy raining storm drizzle regen pluie lluvia дожд 雨 빗 비가 बारिश مطر أمطار גשם'),
  stems('snow', 'snow snowy snowing snowfall winter ice christmas schnee neige nieve снег зим 雪 눈이 बर्फ ثلج שלג'),
  stems('confetti', 'party celebrat birthday festival anniversar feier fête fiesta праздник 祝 축하 احتفال חגיג'),
  stems('embers', 'fire flame firelight campfire ember spark forge feuer feu fuego огон огнь 炎 火焰 불꽃 نار אש'),
];

/** The settings that a text speaks of, the first mentioned first. */
export function settingsIn(text: string): readonly Setting[] {
  return mentionedIn(text, settingWords);
}

export function weatherIn(text: string): Weather {
  return mentionedIn(text, weatherWords)[0] ?? 'none';
}

function stems<Name>(name: Name, list: string): Vocabulary<Name>[number] {
  return { name, stems: list.split(' ') };
}

function mentionedIn<Name>(text: string, vocabulary: Vocabulary<Name>): readonly Name[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const mentioned = words.flatMap((word) =>
    vocabulary.filter(({ stems }) => stems.some((stem) => speaksOf(word, stem))).map(({ name }) => name),
  );
  return [...new Set(mentioned)];
}

const withoutSpaces = /\p{Script=Han}/u;
const usualEndings = ['', 's', 'es', 'e', 'n', 'en'];
/** Articles and prepositions that Arabic and Hebrew write as one word with what follows. */
const clitics = /^(?:[وفبكل]{0,2}ال|[והבלמשכ])(?=\p{L}{2})/u;

function speaksOf(word: string, stem: string): boolean {
  if (withoutSpaces.test(stem)) return word.includes(stem);
  if (!word.startsWith(stem)) return clitics.test(word) && speaksOf(word.replace(clitics, ''), stem);
  // Short stems must be whole words: "mar" is the sea, Maria is not.
  return stem.length > 4 || !/^\p{Script=Latin}/u.test(stem) || usualEndings.includes(word.slice(stem.length));
}
