import { Resolver } from 'node:dns/promises'

/** What the DNS says about a domain that mail comes from. Nothing here stops a message: it is advice. */
export interface Finding {
  ok: boolean
  message: string
}
export type SenderRecords = Record<'spf' | 'dkim' | 'dmarc', Finding>

/** The TXT records of a name, each in its pieces; rejects with `code` ENOTFOUND or ENODATA when there are none. */
export type ResolveTxt = (name: string) => Promise<string[][]>

/** All questions together take no longer. */
const PATIENCE_MS = 2_000

/** Names that DKIM keys commonly stand under; which one a relay uses, only the relay knows. */
const USUAL_SELECTORS = [
  'default',
  'mail',
  'dkim',
  'smtp',
  'email',
  's1',
  's2',
  'k1',
  'k2',
  'selector1',
  'selector2',
  'google',
]

/** Looks up SPF (RFC 7208), DKIM keys under the usual selectors (RFC 6376) and DMARC (RFC 7489). Never rejects. */
export async function senderRecords(domain: string, given?: ResolveTxt): Promise<SenderRecords> {
  const { resolveTxt, end } = given ? { resolveTxt: given, end: () => undefined } : systemResolver()
  const tooLate = Promise.withResolvers<null>()
  const timer = setTimeout(() => tooLate.resolve(null), PATIENCE_MS)
  const texts = (name: string): Promise<string[] | null> => Promise.race([readTexts(resolveTxt, name), tooLate.promise])
  try {
    const [spf, dkim, dmarc] = await Promise.all([
      findSpf(texts, domain),
      findDkim(texts, domain),
      findDmarc(texts, domain),
    ])
    return { spf, dkim, dmarc }
  } finally {
    clearTimeout(timer)
    end()
  }
}

/** Whether a domain exists for tests and examples alone (RFC 6761). */
export function isReserved(domain: string): boolean {
  return /(?:^|\.)(?:test|example|invalid|localhost|example\.(?:com|net|org))$/i.test(domain)
}

/** The texts of a name, none when it has none, null when the DNS gave no answer. */
type Texts = (name: string) => Promise<string[] | null>

const SILENT: Finding = { ok: false, message: 'The DNS gave no answer.' }

async function findSpf(texts: Texts, domain: string): Promise<Finding> {
  const found = (await texts(domain))?.filter((text) => /^v=spf1(?: |$)/i.test(text))
  if (!found) return SILENT
  if (found.length === 1) return { ok: true, message: `${domain} has an SPF record.` }
  return {
    ok: false,
    message:
      found.length === 0
        ? `${domain} has no SPF record.`
        : `${domain} has ${found.length} SPF records; only one is allowed.`,
  }
}

async function findDkim(texts: Texts, domain: string): Promise<Finding> {
  const answers = await Promise.all(USUAL_SELECTORS.map((selector) => texts(`${selector}._domainkey.${domain}`)))
  const at = answers.findIndex((found) => found?.some((text) => /(?:^|;)\s*p=[A-Za-z0-9+/]/.test(text)))
  if (at >= 0) return { ok: true, message: `${domain} has a DKIM key under the selector ${USUAL_SELECTORS[at]}.` }
  if (answers.every((found) => found === null)) return SILENT
  return {
    ok: false,
    message: `${domain} has no DKIM key under the usual selectors; your relay may sign with another one.`,
  }
}

/** The domain's own policy, or that of one it belongs to. */
async function findDmarc(texts: Texts, domain: string): Promise<Finding> {
  for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const found = await texts(`_dmarc.${name}`)
    if (!found) return SILENT
    if (found.some((text) => /^v=DMARC1\s*(?:;|$)/.test(text)))
      return { ok: true, message: `${name} has a DMARC record.` }
  }
  return { ok: false, message: `${domain} has no DMARC record.` }
}

async function readTexts(resolveTxt: ResolveTxt, name: string): Promise<string[] | null> {
  try {
    return (await resolveTxt(name)).map((pieces) => pieces.join(''))
  } catch (error) {
    const { code } = error as { code?: string }
    return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null
  }
}

function systemResolver(): { resolveTxt: ResolveTxt; end: () => void } {
  const resolver = new Resolver({ timeout: PATIENCE_MS, tries: 1 })
  return { resolveTxt: (name) => resolver.resolveTxt(name), end: () => resolver.cancel() }
}
