import { DAY_MS } from '../clock.ts'
import { domainToASCII } from 'node:url'
import { and, eq } from 'drizzle-orm'
import { conflict } from '../errors.ts'
import type { ProjectId } from '../ids.ts'
import { isReserved, type ResolveTxt, textsOf } from '../mail/dns.ts'
import { orConflict } from '../store/constraint.ts'
import type { Tx } from '../store/open.ts'
import { projects } from '../store/tables/accounts.ts'

/*
 * A project's domain is served once its owner has proven it by a TXT record (docs/api/sites.md#domains).
 *
 *   claimed ──record found──▶ proven ──record missing──▶ lost ──for seven days──▶ claimed
 *                               ▲                          │
 *                               └──────record found────────┘
 *
 * A domain that the operator sets on the command line is proven, and its record is never looked up.
 */

type Project = typeof projects.$inferSelect
type DomainColumns = Pick<
  Project,
  'domain' | 'domain_claim' | 'domain_proven_at' | 'domain_checked_at' | 'domain_lost_at'
>

const HOST_NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Letters with separate marks make a name longer than it is in ASCII. */
const LONGEST_GIVEN = 500
const IN_USE = 'Another project has this domain.'

/** A host name in ASCII and lower case (RFC 5890), or null. */
export function readHostName(text: string): string | null {
  // domainToASCII takes quadratic time and also percent encoding, and cuts a path off.
  const isShort = text.length <= LONGEST_GIVEN
  const name = isShort && /^[\p{L}\p{M}\p{N}.-]+$/u.test(text) ? domainToASCII(text) : ''
  return HOST_NAME.test(name) && name !== 'localhost' ? name : null
}

/** The columns that setting a domain changes. CONFLICT when another project has proven it. */
export async function domainColumns(
  tx: Tx,
  before: Project | null,
  { domain: given, is_proven = false }: { domain?: string | null | undefined; is_proven?: boolean | undefined },
): Promise<Partial<DomainColumns>> {
  if (given === undefined) return {}
  const none = {
    domain: null,
    domain_claim: null,
    domain_proven_at: null,
    domain_checked_at: null,
    domain_lost_at: null,
  }
  if (given === null) return none
  const domain = readHostName(given)
  if (is_proven) return { ...none, domain }
  if (domain === before?.domain) return { domain_claim: null }
  const [other] = await tx.select({ id: projects.id }).from(projects).where(eq(projects.domain, domain!))
  if (other) throw conflict('/domain', IN_USE)
  return { domain_claim: domain }
}

/**
 * The TXT record that proves a domain for a project. Its value needs no secret: only the owner of the domain can
 * publish it, and it names the project.
 */
export function domainRecord({ public_id }: Pick<Project, 'public_id'>, domain: string) {
  return { type: 'TXT' as const, name: `_masthead.${domain}`, value: `masthead-project=${public_id}` }
}

/** What the DNS says about the record of a domain. */
export const FOUND = ['published', 'missing', 'different', 'no_answer'] as const
type Found = (typeof FOUND)[number]

/** Looks for the record of a domain. Names that are reserved for tests and examples have none. */
export async function lookUpDomain(
  project: Pick<Project, 'public_id'>,
  domain: string,
  resolveTxt: ResolveTxt,
): Promise<Found> {
  if (isReserved(domain)) return 'missing'
  const { name, value } = domainRecord(project, domain)
  const texts = await textsOf(resolveTxt, name)
  if (texts === null) return 'no_answer'
  if (texts.some((text) => text.trim() === value)) return 'published'
  return texts.length === 0 ? 'missing' : 'different'
}

/**
 * Serves a claimed domain whose record was found. Nothing happens when the claim changed meanwhile. CONFLICT when
 * another project has proven the domain first.
 */
export async function proveDomain(tx: Tx, project_id: ProjectId, domain: string, now: number): Promise<void> {
  const proven = { domain, domain_claim: null, domain_proven_at: now, domain_checked_at: now, domain_lost_at: null }
  await orConflict(
    tx
      .update(projects)
      .set(proven)
      .where(and(eq(projects.id, project_id), eq(projects.domain_claim, domain))),
    { domain: '/domain' },
    IN_USE,
  )
}

/** After this time without the record a domain is not served any more. */
const GRACE_MS = 7 * DAY_MS

/**
 * Stores a look-up of a proven domain, and tells what changed: the record is missing for the first time (`lost`), or
 * has been for so long that the domain is only claimed again (`ended`).
 */
export async function noteLookup(
  tx: Tx,
  { id, domain }: Pick<Project, 'id' | 'domain'>,
  found: Exclude<Found, 'no_answer'>,
  now: number,
): Promise<'lost' | 'ended' | null> {
  const same = and(eq(projects.id, id), eq(projects.domain, domain!))
  const [before] = await tx.select().from(projects).where(same)
  if (!before || before.domain_proven_at === null) return null
  const isFound = found === 'published'
  const lost_at = isFound ? null : (before.domain_lost_at ?? now)
  const isOver = lost_at !== null && now - lost_at >= GRACE_MS
  const ended = {
    domain: null,
    domain_proven_at: null,
    domain_lost_at: null,
    domain_claim: before.domain_claim ?? domain,
  }
  await tx
    .update(projects)
    .set({ domain_checked_at: now, domain_lost_at: lost_at, ...(isOver ? ended : {}) })
    .where(same)
  if (isOver) return 'ended'
  return !isFound && before.domain_lost_at === null ? 'lost' : null
}
