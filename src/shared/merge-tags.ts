import { byContactField, CONTACT_FIELDS } from './contact-fields.ts'

/** Merge tags and the syntax of placeholders: `{{ contact.first_name | default: friend }}`. */

interface MergeTag {
  tag: string
  description: string
  example: string
}

/** The merge tags that schema/get lists. KEY stands for the key of a custom field. */
export const MERGE_TAGS: readonly MergeTag[] = [
  ...CONTACT_FIELDS.map(({ name, description, example }) => ({ tag: `contact.${name}`, description, example })),
  {
    tag: 'contact.full_name',
    description: 'First and last name together.',
    example: '{{ contact.full_name | default: "dear reader" }}',
  },
  { tag: 'contact.email', description: 'The address that the message is sent to.', example: '{{ contact.email }}' },
  {
    tag: 'contact.custom.KEY',
    description: 'The value of the custom field KEY.',
    example: '{{ contact.custom.city | default: your city }}',
  },
  { tag: 'project.name', description: 'The name of the project that sends.', example: '{{ project.name }}' },
  {
    tag: 'campaign.subject',
    description: 'The subject of this message, filled in.',
    example: '{{ campaign.subject }}',
  },
  {
    tag: 'unsubscribe_url',
    description: 'The page where the contact unsubscribes.',
    example: '<a href="{{ unsubscribe_url }}">Unsubscribe</a>',
  },
  {
    tag: 'preferences_url',
    description: 'The page where the contact chooses lists.',
    example: '<a href="{{ preferences_url }}">Preferences</a>',
  },
  {
    tag: 'view_url',
    description: 'This message as a page in the browser.',
    example: '<a href="{{ view_url }}">View in browser</a>',
  },
  { tag: 'date', description: "The day of sending, in the project's time zone and language.", example: '{{ date }}' },
]

/** The contact of a preview or a test that names none. */
export const SAMPLE_CONTACT = { email: 'ada@example.com', ...byContactField(({ sample }) => sample) }

/** Values for a preview without a contact. */
export const SAMPLE_VALUES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(SAMPLE_CONTACT).map(([name, value]) => [`contact.${name}`, value])),
  'contact.full_name': `${SAMPLE_CONTACT.first_name} ${SAMPLE_CONTACT.last_name}`,
  unsubscribe_url: 'https://example.com/unsubscribe',
  preferences_url: 'https://example.com/preferences',
  view_url: 'https://example.com/view',
}

/** Tags of links to this service, which tracking never rewrites (docs/api/delivery.md#links-and-tracking). */
export const SERVICE_TAGS: ReadonlySet<string> = new Set(['unsubscribe_url', 'preferences_url', 'view_url'])

/** Straight quotes, the curly ones that editors make of them, and both as `escapeHtml` writes them. */
const QUOTES = [
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['&quot;', '&quot;'],
  ['&#x27;', '&#x27;'],
] as const
const QUOTED = QUOTES.map(([open, close]) => `${open}(?:(?!${close}|\\{\\{)[^]){0,500}${close}`).join('|')

/**
 * Finds the placeholders of plain text or HTML. Group 1 is the text between the braces. Braces are allowed only in a
 * quoted default, and never two opening ones in a row. No character is therefore read for two placeholders, and
 * matching takes linear time.
 */
export const PLACEHOLDER = new RegExp(
  `\\{\\{([^{}|]{0,500}\\|\\s*default\\s*:\\s*(?:${QUOTED})\\s*|[^{}]{0,500})\\}\\}`,
  'g',
)

/** A parsed placeholder. `known` is false for a tag that does not exist. */
interface Placeholder {
  tag: string
  fallback: string
  known: boolean
}

/** Editors leave zero-width spaces around formatted text. */
const FORM = /^[\s\u200B\u2060]*([A-Za-z_][\w.-]*)[\s\u200B\u2060]*(?:\|\s*default\s*:([\s\S]*))?$/
const KNOWN: ReadonlySet<string> = new Set(MERGE_TAGS.map(({ tag }) => tag).filter((tag) => !tag.endsWith('KEY')))
const CUSTOM = /^contact\.custom\.[a-z0-9_]{1,40}$/

/** Parses the text between the braces, with entities already decoded. Text that is no placeholder is an unknown tag. */
export function readPlaceholder(inside: string): Placeholder {
  const [, tag = inside.trim(), fallback = ''] = FORM.exec(inside) ?? []
  return { tag, fallback: unquote(fallback.trim()), known: KNOWN.has(tag) || CUSTOM.test(tag) }
}

/** Editors turn straight quotes into curly ones, so both are removed. */
function unquote(text: string): string {
  return /^(?:"(.*)"|'(.*)'|“(.*)”|‘(.*)’)$/s.test(text) ? text.slice(1, -1) : text
}
