import { normalForm } from './normal-form.ts'
import { once } from './once.ts'

/**
 * Names that strangers read: of apps, projects and scripts, and of people in messages
 * (docs/api/conventions.md#names-that-others-read). Each function tells in a sentence what is wrong, or returns null.
 */

/** Returns the problem with the name of an app, a project or a script as a sentence; null for none. */
export function nameProblem(name: string): string | null {
  if (!isVisible(name)) return 'A name has no control or invisible characters.'
  if (!wordsOf(name).every(isOfOneScript)) return 'Each word of a name is in the letters of one script.'
  if (isProduct(name)) return 'A name does not contain the name of the service itself. Choose another one.'
  return addressProblem(name)
}

/**
 * Returns the problem with a person's name as a sentence; null for none. Any script is allowed, and so is the name of
 * the product.
 */
export function personNameProblem(name: string): string | null {
  return isVisible(name) ? addressProblem(name) : 'A name has no control or invisible characters.'
}

/** Joiners belong to emoji, and to words in scripts whose letters join (UTS 39, 3.1.1). */
const JOINED_EMOJI = /(\p{Extended_Pictographic}\p{Emoji_Modifier}?)[\uFE0F\u200D]+/gu
const JOINING = 'Arab Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr'.split(' ')
const joinedLetters = once(
  () =>
    new RegExp(
      `(?<=[${JOINING.map((script) => `\\p{scx=${script}}`).join('')}])[\u200C\u200D](?=[\\p{L}\\p{M}])`,
      'gu',
    ),
)

/** Whether a text has no control or invisible characters. */
export function isVisible(name: string): boolean {
  const rest = name.replace(JOINED_EMOJI, '$1').replace(joinedLetters(), '')
  return !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(rest)
}

function wordsOf(name: string): string[] {
  return name.match(/[\p{L}\p{M}]+/gu) ?? []
}

/** Recommended scripts of UAX 31 but the Latin one. */
const RECOMMENDED = (
  'Arab Armn Beng Bopo Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hani Hebr Hira Kana Knda Khmr Laoo Mlym Mymr ' +
  'Orya Sinh Taml Telu Thaa Thai Tibt'
).split(' ')
/** Scripts of limited use that have living readers. */
const LIMITED = 'Adlm Bali Cans Cher Java Mong Nkoo Syrc Tfng Vaii Yiii'.split(' ')
const ofSets = once(() =>
  [
    ...['Latn', ...RECOMMENDED, ...LIMITED].map((script) => [script]),
    ['Latn', 'Hani', 'Hira', 'Kana'],
    ['Latn', 'Hani', 'Bopo'],
    ['Latn', 'Hani', 'Hang'],
    // Moderately restrictive (UTS 39, 5.2): Cyrillic and Greek have letters that look like Latin ones.
    ...RECOMMENDED.filter((script) => !['Cyrl', 'Grek'].includes(script)).map((script) => ['Latn', script]),
  ].map(
    (scripts) =>
      new RegExp(`^[\\p{sc=Zyyy}\\p{sc=Zinh}${scripts.map((script) => `\\p{scx=${script}}`).join('')}]+$`, 'u'),
  ),
)

function isOfOneScript(word: string): boolean {
  return ofSets().some((set) => set.test(word))
}

const PRODUCT = 'masthead'

/** Letters of other scripts, digits and signs that look like those of the product's name (UTS 39), in lower case. */
const LOOK_ALIKES = new Map(
  Object.entries({
    m: 'мμᴍꮇᗰᛖꓟⲙϻ',
    a: 'аαɑᴀꭺᗅꓮⲁ4@',
    s: 'ѕꜱƽտꮥꮪꓢ5$',
    t: 'тτᴛꭲꓔⲧ7',
    h: 'һнհηʜꮋꮒᕼꓧⲏ',
    e: 'еεҽəᴇꬲꭼⴹꓰⲉ3℮€',
    d: 'ԁᴅꮷꭰᑯᗞᗪꓒꓓ',
  }).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
)

/** White letters on dark squares and circles, and those of flags, which have no compatible letter. */
const BOXED = /[\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}\u{1F1E6}-\u{1F1FF}]/gu
const FIRST_BOXED = [0x1f1e6, 0x1f170, 0x1f150]

function unboxed(sign: string): string {
  const code = sign.codePointAt(0)!
  return String.fromCodePoint(0x61 + code - FIRST_BOXED.find((first) => first <= code)!)
}

/** A name in a normal form, without marks beyond 30 in a row: `normalForm` would leave all of it as it is. */
function comparable(name: string, form: 'NFKC' | 'NFKD'): string {
  return normalForm(name.replace(/(\p{M}{30})\p{M}+/gu, '$1'), form)
}

/** Compared without case, marks and width, with letters for what looks like them. */
function isProduct(name: string): boolean {
  const plain = [...comparable(name.replace(BOXED, unboxed), 'NFKD').replace(/\p{M}/gu, '').toLowerCase()]
    .map((sign) => LOOK_ALIKES.get(sign) ?? sign)
    .join('')
    .replaceAll('rn', 'm')
  const words: readonly string[] = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.some((word) => word.includes(PRODUCT)) || words.join('') === PRODUCT
}

const tldts = once(() => require('tldts') as typeof import('tldts'))

/** Words joined by dots. */
const DOTTED = /[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+/gu

/** Whether a name leads somewhere: mail programs make links of addresses, and readers follow them. */
function addressProblem(name: string): string | null {
  const plain = comparable(name, 'NFKC').replaceAll(/[\u3002\uFF61]/g, '.')
  const hasAddress =
    /:\/\/|\bwww\.|\b(?:https?|mailto|tel):/i.test(plain) ||
    /\S@\S/.test(plain) ||
    (plain.match(DOTTED) ?? []).some((text) => {
      const { isIcann, domain, isIp } = tldts().parse(text)
      return isIp === true || (isIcann === true && domain !== null)
    })
  return hasAddress ? 'A name has no web or email address in it: name.com, https:// and @ are not allowed.' : null
}
