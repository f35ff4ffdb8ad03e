import type { Entrance, Mode, Transition, Voice } from './look.js';

/** What one word of a style direction settles; everything else stays open. */
export interface Traits {
  readonly hue?: number;
  readonly accentHue?: number;
  readonly strength?: number;
  readonly tone?: 'dark' | 'light';
  readonly voice?: Voice;
  readonly entrance?: Entrance;
  readonly transition?: Transition;
  readonly energy?: number;
  readonly mode?: Mode;
}

interface Words {
  readonly pattern: RegExp;
  readonly traits: Traits;
}

/** Word beginnings, in English with the commonest German, French and Spanish ones. */
function words(stems: string, traits: Traits): Words {
  return { pattern: new RegExp(`(?<![\\p{L}])(?:${stems})`, 'u'), traits };
}

export const moodWords: readonly Words[] = [
  words('warm|cosy|cozy|cálid|chaleur|gemütlich', { hue: 35, accentHue: 72 }),
  words('cold|winter|ice|icy|frost|snow|kalt|froid|frío|nordic|scandi', { hue: 245, accentHue: 215, strength: 0.8 }),
  words('sunset|dusk|golden hour|twilight', { hue: 310, accentHue: 58 }),
  words('sunrise|dawn|morning|aube|alba', { hue: 260, accentHue: 55 }),
  words('summer|beach|tropical|sommer|été|verano', { hue: 215, accentHue: 80, energy: 0.6, mode: 'major' }),
  words('autumn|fall colou?rs|harvest', { hue: 40, accentHue: 65 }),
  words('spring|fresh|frühling|printemps', { hue: 150, accentHue: 110, tone: 'light', mode: 'major' }),
  words('ocean|marine|maritime|aqua|underwater', { hue: 240, accentHue: 190 }),
  words('natur|organic|earth|eco(?![\\p{L}])|ecolog|botanic|forest|sustainab', {
    hue: 155,
    accentHue: 100,
    strength: 0.85,
  }),
  words('neon|cyber|synthwave|vaporwave', {
    hue: 295,
    accentHue: 345,
    strength: 1.35,
    voice: 'grotesk',
    energy: 0.75,
    mode: 'minor',
    entrance: 'wipe',
  }),
  words('futur|sci-?fi|tech|digital|modern', {
    hue: 265,
    accentHue: 200,
    voice: 'grotesk',
    entrance: 'wipe',
    transition: 'wipe',
  }),
  words('space|cosmic|galact', { hue: 280, accentHue: 320, mode: 'lydian' }),
  words('luxur|premium|opulent|edel|luxe|lujo', {
    hue: 60,
    accentHue: 85,
    strength: 0.3,
    tone: 'dark',
    voice: 'fine',
    energy: 0.25,
    entrance: 'fade',
    mode: 'dorian',
  }),
  words('elegan|fashion|refined|chic|editorial', { voice: 'fine', energy: 0.3, entrance: 'fade', strength: 0.6 }),
  words('minimal|clean|simple|schlicht|sobre', {
    tone: 'light',
    strength: 0.45,
    voice: 'fine',
    energy: 0.3,
    transition: 'dissolve',
  }),
  words('corporate|business|professional|trust|serious', {
    hue: 255,
    accentHue: 225,
    voice: 'plain',
    energy: 0.4,
    mode: 'major',
  }),
  words('pastel|soft|gentle|delicate|tender|sanft|doux|suave', {
    tone: 'light',
    energy: 0.25,
    mode: 'lydian',
    entrance: 'fade',
  }),
  words('watercolou?r|hand-?drawn|paper|sketch|storybook|illustrat|aquarell', {
    tone: 'light',
    hue: 80,
    accentHue: 35,
    strength: 0.9,
  }),
  words('playful|fun(?![\\p{L}])|kid|child|cartoon|whimsical|quirky|verspielt|ludique|divertid', {
    tone: 'light',
    strength: 1.25,
    voice: 'plain',
    energy: 0.65,
    entrance: 'snap',
    transition: 'slide',
    mode: 'major',
  }),
  words('colou?rful|vibrant|vivid|bright|bunt', { strength: 1.3 }),
  words('retro|vintage|nostalg|seventies|70s|60s|80s|analog', {
    hue: 40,
    accentHue: 75,
    strength: 0.85,
    voice: 'grotesk',
    mode: 'dorian',
  }),
  words('noir|monochrom|black[- ]and[- ]white|black & white|b&w|schwarz-?wei|noir et blanc|blanco y negro', {
    strength: 0,
    tone: 'dark',
    mode: 'minor',
    energy: 0.35,
  }),
  words('dark|moody|night|mysteri|gothic|horror|dunkel|sombre|oscur', { tone: 'dark', mode: 'minor', strength: 0.8 }),
  words('light|airy|sunny|sonnig|lumineu|luminos', { tone: 'light' }),
  words('documentar|realis|photo|natural light|reportage', {
    voice: 'plain',
    energy: 0.35,
    strength: 0.7,
    transition: 'cut',
  }),
  words('cinema|film|epic|dramatic|grand|trailer', {
    hue: 240,
    accentHue: 62,
    voice: 'fine',
    energy: 0.4,
    entrance: 'fade',
    transition: 'dissolve',
    mode: 'minor',
  }),
  words('dream|ethereal|magic|fairy|surreal', {
    hue: 300,
    accentHue: 350,
    energy: 0.25,
    mode: 'lydian',
    entrance: 'fade',
  }),
  words('calm|slow|quiet|serene|peace|medita|relax|ruhig|calme|tranquil', {
    energy: 0.15,
    entrance: 'fade',
    transition: 'dissolve',
  }),
  words('energ|fast|dynamic|punch|upbeat|action|sport|urgent|rasant|rapide|rápid', {
    energy: 0.9,
    voice: 'poster',
    entrance: 'snap',
    transition: 'slide',
    mode: 'dorian',
  }),
  words('bold|loud|strong|powerful|impact|poster|graphic|brutal', { voice: 'poster', energy: 0.7 }),
  words('happy|joy|cheer|uplift|optimis|fröhlich|joyeu|alegr', { mode: 'major', energy: 0.6 }),
  words('sad|melanchol|sorrow|lonely|traurig|triste|tense|suspense', { mode: 'minor', energy: 0.2, strength: 0.65 }),
];

/** Whole words with the commonest endings: "red" must not be found in "reduced". */
function colour(names: string, traits: Traits): Words {
  return { pattern: new RegExp(`(?<![\\p{L}])(?:${names})(?:ish|es|en|er|e|s)?(?![\\p{L}])`, 'u'), traits };
}

export const colourWords: readonly Words[] = [
  colour('red|crimson|scarlet|ruby|rot|rouge|rojo|roja', { hue: 27 }),
  colour('coral|salmon|terracotta|rust', { hue: 38 }),
  colour('orange|tangerine|naranja', { hue: 58 }),
  colour('brown|coffee|chocolate|braun|marr[oó]n', { hue: 55, strength: 0.6 }),
  colour('amber|gold|golden(?! hour)|honey|ochre|doré|dorado', { hue: 82 }),
  colour('yellow|lemon|gelb|jaune|amarillo', { hue: 90 }),
  colour('lime|chartreuse', { hue: 122 }),
  colour('green|emerald|olive|grün|vert|verde', { hue: 148 }),
  colour('mint|sage|jade', { hue: 168 }),
  colour('teal|turquoise|petrol|türkis', { hue: 192 }),
  colour('cyan|aqua', { hue: 205 }),
  colour('sky blue|azure|baby blue', { hue: 235 }),
  colour('blue|cobalt|sapphire|blau|bleu|azul', { hue: 260 }),
  colour('navy|midnight', { hue: 266, tone: 'dark' }),
  colour('indigo', { hue: 280 }),
  colour('violet|purple|lavender|lilac|lila|violett|morado', { hue: 303 }),
  colour('magenta|fuchsia', { hue: 335 }),
  colour('pink|rose|blush|rosa', { hue: 355 }),
  colour('black|charcoal|schwarz|negro|noir', { tone: 'dark' }),
  colour('white|ivory|cream|beige|weiß|blanc', { tone: 'light' }),
  colour('gr[ae]y|silver|grau|gris', { tone: 'dark' }),
];
