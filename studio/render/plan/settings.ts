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

const settingWords = vocabulary<Setting>([
  [
    'sea',
    'sea|ocean|beach|wave|sail|boat|ship|harbou?r|island|coast|shore|surfe|surfi|swim|swimm|lake|river|water|fish|whale|meer|strand|mer|plage|mar|playa|море|海|바다|समुद्र|بحر|ים',
  ],
  ['forest', 'forest|wood|tree|jungle|leaf|leaves|wald|forêt|bosque|лес|森|숲|जंगल|غابة|יער'],
  [
    'hills',
    'mountain|hill|valley|peak|summit|desert|dune|field|meadow|farm|countryside|landscape|trail|hike|hiking|climb|canyon|horizon|berg|montagne|montaña|гор|山|산|पहाड़|جبل|הר',
  ],
  [
    'city',
    'city|town|street|urban|skyline|skyscraper|tower|building|traffic|taxi|subway|metro|bridge|neighbou?rhood|downtown|stadt|ville|ciudad|город|城|街|都|도시|शहर|مدينة|עיר',
  ],
  [
    'space',
    'space|planet|galax|cosmos|astronaut|rocket|orbit|moon|mars|universe|weltraum|espace|espacio|космос|宇宙|우주|अंतरिक्ष|فضاء|חלל',
  ],
  [
    'sky',
    'sky|cloud|fly|flies|flying|bird|plane|balloon|kite|wind|sunrise|sunset|dawn|morning|himmel|ciel|cielo|небо|空|天|하늘|आकाश|सुबह|سماء|صباح|שמיים|בוקר',
  ],
  [
    'room',
    'home|house|kitchen|room|table|breakfast|coffee|caf[eé]|baker|bakes|baking|bread|restaurant|family|window|sofa|bed|cooks|cooking|library|book|haus|maison|casa|дом|家|집|घर|بيت|בית',
  ],
  [
    'network',
    'data|digital|software|app|cloud comput|algorithm|artificial|robot|network|internet|online|platform|code|computer|cyber|technolog|tech|signal|machine',
  ],
  [
    'stage',
    'product|bottle|shoe|sneaker|watch|phone|perfume|collection|launch|introduc|unveil|brand|logo|produkt|produit|producto|продукт|产品|製品|제품',
  ],
  ['lights', 'night|party|concert|music|dance|festival|celebrat|club|neon|nacht|nuit|noche|ночь|夜|밤|रात|ليل|לילה'],
]);
const weatherWords = vocabulary<Weather>([
  ['rain', 'rain|rainy|raining|storm|drizzle|regen|pluie|lluvia|дожд|雨|비가|बारिश|مطر|גשם'],
  ['snow', 'snow|snowy|snowing|snowfall|winter|ice|christmas|schnee|neige|nieve|снег|зим|雪|눈이|बर्फ|ثلج|שלג'],
  ['confetti', 'party|celebrat|birthday|festival|anniversar|feier|fête|fiesta|праздник|祝|축하'],
  ['embers', 'fire|flame|firelight|campfire|ember|spark|forge|feuer|feu|fuego|огонь|火|불꽃|आग|نار|אש'],
]);

/** The settings that a text speaks of, the first mentioned first. */
export function settingsIn(text: string): readonly Setting[] {
  return mentionedIn(text, settingWords);
}

export function weatherIn(text: string): Weather {
  return mentionedIn(text, weatherWords)[0] ?? 'none';
}

type Vocabulary<Name> = readonly { readonly name: Name; readonly pattern: RegExp }[];

function vocabulary<Name>(words: readonly (readonly [name: Name, stems: string])[]): Vocabulary<Name> {
  return words.map(([name, stems]) => ({ name, pattern: patternOf(stems) }));
}

function mentionedIn<Name>(text: string, words: Vocabulary<Name>): readonly Name[] {
  const lower = text.toLowerCase();
  return words
    .flatMap(({ name, pattern }) => {
      const at = lower.search(pattern);
      return at < 0 ? [] : [{ name, at }];
    })
    .sort((one, other) => one.at - other.at)
    .map(({ name }) => name);
}

/** Other scripts than Latin have prefixes or no spaces: there a stem may stand anywhere. */
function patternOf(stems: string): RegExp {
  const [latin, other] = [/^[\p{Script=Latin}\s?[\]]/u, /^[^\p{Script=Latin}]/u].map((script) =>
    stems.split('|').filter((stem) => script.test(stem)),
  );
  const alternatives = [...(latin ?? []).map(wordBeginning), ...(other ?? [])];
  return new RegExp(alternatives.join('|'), 'u');
}

/** Short stems must be whole words: "mar" is the sea, Maria is not. */
function wordBeginning(stem: string): string {
  return `(?<![\\p{L}])${stem}${stem.length <= 4 ? '(?:e?[sn]|e)?(?![\\p{L}])' : ''}`;
}
