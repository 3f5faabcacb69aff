/**
 * The service's errors in words for people. It answers programs too, so it names what it expects as a schema does, and
 * writes times as ISO 8601.
 */

/** The sentence for a flaw of a request (docs/api/errors.md#newsletter-errors). */
export function flawSentence(message: string): string {
  // A value that may be empty is told about as the value.
  const text = message.replace(/^Expected '' or /, 'Expected ')
  for (const [pattern, words] of SENTENCES) {
    const found = pattern.exec(text)
    if (found) return typeof words === 'string' ? words : words(Number(found[1] ?? found[2]).toLocaleString('en'))
  }
  if (/^Expected (?:an?|one|the) /.test(text)) return plainTimes(text.replace(/^Expected/, 'Write'))
  return text.startsWith('Expected ') ? 'This cannot be used here.' : plainTimes(text)
}

type Words = string | ((number: string) => string)

/** The first that matches counts. A message may end with a description of the schema, in parentheses. */
const SENTENCES: readonly (readonly [RegExp, Words])[] = [
  [/^(?:Required\.|Expected non-empty text)/, 'Fill this in.'],
  [/^Expected string length greater or equal to 1\b/, 'Fill this in.'],
  [/^Expected string length greater or equal to (\d+)/, (n) => `Use at least ${n} characters.`],
  [
    /^Expected (?:at most (\d+) characters|string length less or equal to (\d+))/,
    (n) => `Use at most ${n} characters.`,
  ],
  [
    /^Expected an email address whose domain/,
    'After the @ stands a name such as example.com. Look whether a letter is wrong.',
  ],
  [/^Expected an email address without/, 'The address has a character that cannot be seen. Type it again.'],
  [/^Expected (?:an email address|string to match 'idn-email')/, 'Write an email address, such as ada@example.com.'],
  [
    /^Expected string to match 'uri'|^Expected string to match .*https\??:\/\/|^Expected .*\(an http or https address\)/i,
    'Write a web address, such as https://example.com.',
  ],
  [/^Expected string to match .*\[hH\]\[tT\]\[tT\]\[pP\]/, 'Write a web address, such as https://example.com.'],
  [/^Expected string to match .*#/, 'Write a color, such as #0a5a68.'],
  [/^Expected string to match 'date'/, 'Write a day, such as 2026-05-03.'],
  [/^Expected .*(?:'date-time'|ISO 8601|\\d\{4\}-)/, 'Choose a day and a time.'],
  [/^Expected string to match '\^\[a-z0-9\]\[a-z0-9_-\]/, 'Use small letters, digits, - and _ only.'],
  [/^Expected string to match '\^\[a-z0-9_\]/, 'Use small letters, digits and _ only.'],
  [/^Expected string to match/, 'This has characters that are not allowed here.'],
  [/^Expected well-formed Unicode/, 'Remove line breaks and characters that cannot be seen.'],
  [
    /^Expected (?:integer|number).* to be greater or equal to (-?\d+(?:\.\d+)?)/,
    (n) => `Write a number of at least ${n}.`,
  ],
  [/^Expected (?:integer|number).* to be greater than (-?\d+(?:\.\d+)?)/, (n) => `Write a number above ${n}.`],
  [/^Expected (?:integer|number).* to be less or equal to (-?\d+(?:\.\d+)?)/, (n) => `Write a number of at most ${n}.`],
  [/^Expected (?:integer|number)\b/, 'Write a number.'],
  [/^Expected array length to be greater or equal to 1\b/, 'Choose at least one.'],
  [/^Expected array length to be greater or equal to (\d+)/, (n) => `Choose at least ${n}.`],
  [/^Expected array length to be less or equal to (\d+)/, (n) => `At most ${n} can be chosen.`],
  [/^Expected array elements to be unique/, 'Each may be there only once.'],
  [/^Expected one of: /, 'Choose one of those that are offered.'],
  [/^Unknown property/, 'This cannot be used here.'],
]

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)(?!\w)/g

/** A message with its times as people of this browser write them. */
export function plainTimes(message: string): string {
  return message.replace(INSTANT, (instant) => {
    const time = new Date(instant)
    return Number.isNaN(time.getTime()) ? instant : new Intl.DateTimeFormat('en-GB', FORMAT).format(time)
  })
}

const FORMAT = { dateStyle: 'medium', timeStyle: 'short' } as const

/** What the fields of requests are called on the pages, where it is not their name in words. */
const LABELS: Readonly<Record<string, string>> = {
  redirect_uris: 'Redirect address',
  displayName: 'Name',
  from_name: 'Name of the sender',
  from_email: 'Address of the sender',
  reply_to: 'Reply address',
  logo_url: 'Address of the logo',
  privacy_url: 'Privacy policy',
  support_url: 'Support',
  icon_url: 'Icon',
  redirect_url: 'Page after it',
  consent_privacy_url: 'Privacy page',
  audience_spec: 'Recipients',
  editor_json: 'Letter',
  html: 'HTML',
  css: 'CSS',
  href: 'Link',
  src: 'Picture',
  alt: 'Description of the picture',
  consent_text: 'Words of the consent',
  list_ids: 'List',
  tag_ids: 'Tag',
  scope_reasons: 'Reason',
  max_per_second: 'Messages a second',
  max_per_day: 'Messages a day',
  max_connections: 'Connections at once',
  keep_days: 'Days',
  notify: 'Who is told',
  slug: 'Address',
}

/**
 * What a JSON Pointer names, in words: `/redirect_uris/0` → "Redirect address 1". Empty for the whole request.
 */
export function pathWords(path: string): string {
  const steps = path.split('/').filter((step) => step !== '')
  const last = steps.findLastIndex((step) => !/^\d+$/.test(step))
  if (last === -1) return ''
  const name = steps[last]!
  const place = steps[last + 1]
  const words = LABELS[name] ?? plainName(name)
  const block = /^\/editor_json\/(?:.*\/)?blocks\/(\d+)\//.exec(path)?.[1]
  const whole = place === undefined ? words : `${words} ${Number(place) + 1}`
  return block === undefined ? whole : `Block ${Number(block) + 1}, ${whole.toLowerCase()}`
}

/** `postal_address` → "Postal address" */
function plainName(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .replace(/ (?:id|ids|on|at)$/, '')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}
