import { domainToASCII, domainToUnicode } from 'node:url'
import { normalForm } from './normal-form.ts'
import { isVisible } from './plain-name.ts'

/**
 * Email addresses: which texts are some, when two spellings are one mailbox, and how an address is shown and sent to
 * (docs/api/contacts.md#addresses). A domain in another script is compared and sent to in ASCII, as its A-labels, and
 * shown in Unicode (UTS 46, non-transitional).
 *
 * The runtime's `domainToASCII` maps and checks labels as UTS 46 says, but it is made for URLs: it decodes percent
 * signs, reads numbers as IPv4 addresses, and lets long labels and other ASCII than letters, digits and hyphens pass.
 * So it sees no domain with other ASCII, and what it answers is checked again.
 */

/** An address in ASCII, its labels not longer than 63 characters. */
const ASCII_ADDRESS =
  /^[^\s@"(),:;<>[\\\]\u0000-\u001F\u007F-\uFFFF]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/
const LOCAL_PART = /^[^\s@"(),:;<>[\\\]\u0000-\u001F\u007F-\u009F]+$/u
const ASCII_DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/
const ASCII = /^[\u0000-\u007F]*$/
const A_LABEL = /xn--/i
/** ASCII that no domain has. */
const UNFIT_FOR_DOMAIN = /[\u0000-\u002C\u002F\u003A-\u0040\u005B-\u0060\u007B-\u007F]/
const HYPHEN_AT_END = /(?:^|\.)-|-(?:\.|$)/
const NUMBER_AT_END = /(?:^|\.)\d+$/
/** Longer texts are no addresses and no domains, in any spelling. */
const LONGEST = 320

/** Whether a text is the same in every spelling but for the case of its letters: ASCII without A-labels. */
function isPlain(text: string): boolean {
  return ASCII.test(text) && !A_LABEL.test(text)
}

/**
 * Whether mail can be sent to an address: a dot-atom local part of at most 64 bytes, and a domain with a dot that is
 * valid in ASCII. Quoted local parts and address literals are refused on purpose.
 */
export function isEmail(text: string): boolean {
  return flawOfEmail(text) === null
}

/** What keeps a text from being an address that mail can be sent to, as a sentence; null for an address. */
export function addressFlaw(text: string): string | null {
  const flaw = flawOfEmail(text)
  return flaw === null ? null : SENTENCES[flaw]
}

const SENTENCES = {
  form: 'This is not an email address.',
  invisible: 'This address has invisible characters.',
  domain: 'The domain of this address is not valid.',
} as const

/**
 * The invalid part of an address: its form, characters before the @ that nobody sees, or only its domain; null for a
 * valid address. RFC 6531 allows invisible characters, but an address that looks like another one deceives people.
 */
export function flawOfEmail(text: string): keyof typeof SENTENCES | null {
  // The patterns are slow on long texts, which are no addresses.
  if (text.length > LONGEST) return 'form'
  const trimmed = text.replace(/^ +| +$/g, '')
  const at = trimmed.lastIndexOf('@')
  if (ASCII_ADDRESS.test(trimmed) && !A_LABEL.test(trimmed) && !NUMBER_AT_END.test(trimmed))
    return isWithinLimits(trimmed.slice(0, at), trimmed.length - at - 1) ? null : 'form'
  const local = normalForm(trimmed.slice(0, Math.max(at, 0)))
  if (!LOCAL_PART.test(local) || !local.isWellFormed()) return 'form'
  if (!isVisible(local)) return 'invisible'
  const domain = trimmed.slice(at + 1)
  const ascii = asciiOf(domain)
  if (ascii === null) return isPlain(domain) ? 'form' : 'domain'
  return isWithinLimits(local, ascii.length) ? null : 'form'
}

/** The limits of an address on the wire, whose domain is in ASCII (RFC 5321, section 4.5.3.1). */
function isWithinLimits(local: string, domain_length: number): boolean {
  const bytes = Buffer.byteLength(local)
  return (
    bytes <= 64 &&
    bytes + 1 + domain_length <= 254 &&
    !local.startsWith('.') &&
    !local.endsWith('.') &&
    !local.includes('..')
  )
}

/**
 * The form in which addresses are compared: local part in NFC and lower case, domain in ASCII and lower case. The key
 * of a key is itself. A text that is no address has a key as well.
 */
export function emailKey(email: string): string {
  const text = email.trim()
  if (isPlain(text)) return text.toLowerCase()
  const at = text.lastIndexOf('@') + 1
  return folded(text.slice(0, at)) + domainKey(text.slice(at))
}

/** The form in which domains are compared: in ASCII and lower case. */
export function domainKey(domain: string): string {
  return isPlain(domain) ? domain.toLowerCase() : (asciiOf(domain) ?? folded(domain))
}

/** The domain of an address, as domains are compared. */
export function domainOf(email: string): string {
  return domainKey(email.slice(email.lastIndexOf('@') + 1).trim())
}

/** Where `a.d.a` and `ada` are one mailbox. */
const IGNORES_DOTS: ReadonlySet<string> = new Set(['@gmail.com', '@googlemail.com'])

/**
 * The same for all addresses of one mailbox: `ada+shop@example.com` and `Ada@example.com`, or `a.da@gmail.com` and
 * `ada@gmail.com`. A plus sign at the beginning begins no tag.
 */
export function mailboxOf(email: string): string {
  const key = emailKey(email)
  const at = Math.max(key.lastIndexOf('@'), 0)
  const plus = key.indexOf('+', 1)
  const name = key.slice(0, plus === -1 || plus > at ? at : plus)
  const domain = key.slice(at)
  return (IGNORES_DOTS.has(domain) ? name.replaceAll('.', '') : name) + domain
}

/** An address as it is stored and shown: as it was given, without blanks around it, in NFC, its domain in Unicode. */
export function tidyAddress(email: string): string {
  const text = email.trim().toWellFormed()
  if (isPlain(text)) return text
  const at = text.lastIndexOf('@') + 1
  return normalForm(text.slice(0, at)) + shownDomain(text.slice(at))
}

/** An address with its domain in ASCII, as mail is sent to it; the part before the @ does not change. */
export function asciiAddress(email: string): string {
  const at = email.lastIndexOf('@') + 1
  return at === 0 || isPlain(email) ? email : email.slice(0, at) + domainKey(email.slice(at))
}

/**
 * The keys that an address may have had while addresses were compared in lower case alone: hashes of them are in facts,
 * links and suppressions. Without the present key; empty for ASCII without A-labels, whose key never changed.
 */
export function earlierKeys(email_key: string): string[] {
  if (isPlain(email_key)) return []
  const at = email_key.lastIndexOf('@') + 1
  const [local, domain] = [email_key.slice(0, at), email_key.slice(at)]
  const locals = new Set([local, normalForm(local, 'NFD')])
  const keys = [...locals].flatMap((one) => [`${one}${domain}`, `${one}${shownDomain(domain)}`])
  return [...new Set(keys)].filter((key) => key !== email_key)
}

/** The present key of an address and its earlier ones. */
export function allKeys(email_key: string): string[] {
  return [email_key, ...earlierKeys(email_key)]
}

function folded(text: string): string {
  return normalForm(normalForm(text).toLowerCase())
}

function shownDomain(domain: string): string {
  if (isPlain(domain)) return domain
  const ascii = asciiOf(domain)
  return ascii === null ? normalForm(domain) : domainToUnicode(ascii)
}

/** A domain in ASCII and lower case; null for one that is not valid there. */
function asciiOf(domain: string): string | null {
  // `domainToASCII` takes quadratic time, and a report may name any text as an address.
  if (domain.length > LONGEST) return null
  if (isPlain(domain))
    return ASCII_DOMAIN.test(domain.toLowerCase()) && !NUMBER_AT_END.test(domain) ? domain.toLowerCase() : null
  if (UNFIT_FOR_DOMAIN.test(domain)) return null
  const ascii = domainToASCII(domain)
  // The labels in Unicode follow the rule on hyphens as well, and mapped digits are no IPv4 address.
  const isDomain = ascii.length <= 253 && ASCII_DOMAIN.test(ascii) && !NUMBER_AT_END.test(ascii)
  return isDomain && !HYPHEN_AT_END.test(domainToUnicode(ascii)) ? ascii : null
}
