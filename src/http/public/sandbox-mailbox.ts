import { Type } from '@sinclair/typebox'
import { and, asc, eq, gt } from 'drizzle-orm'
import type { ParsedMail } from 'mailparser'
import { iso } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { check, obj } from '../../schema.ts'
import { projects } from '../../store/tables/accounts.ts'
import { sandbox_messages } from '../../store/tables/delivery.ts'
import type { Runtime } from '../../runtime.ts'
import { type Handler, json } from '../core/exchange.ts'

const Query = obj({
  to: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  after_id: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
})
const DEFAULT_LIMIT = 1000

/** `GET`: messages in the order they came, those to one address when `to` is given (contract-details 32). */
export function readMailbox(runtime: Runtime): Handler {
  return onlyInSandbox(runtime, async ({ url }) => {
    const { to, after_id = 0, limit = DEFAULT_LIMIT } = check(Query, queryOf(url))
    const rows = await runtime.store.db
      .select({ message: sandbox_messages, project_public_id: projects.public_id })
      .from(sandbox_messages)
      .leftJoin(projects, eq(projects.id, sandbox_messages.project_id))
      .where(
        and(
          gt(sandbox_messages.id, after_id),
          to === undefined ? undefined : eq(sandbox_messages.recipient_key, to.trim().toLowerCase()),
        ),
      )
      .orderBy(asc(sandbox_messages.id))
      .limit(limit)
    const messages = []
    for (const { message, project_public_id } of rows) messages.push(await messageRecord(message, project_public_id))
    return json(200, { messages })
  })
}

/** `DELETE`: empties the mailbox; ids go on from where they were. */
export function emptyMailbox(runtime: Runtime): Handler {
  return onlyInSandbox(runtime, async () => {
    await runtime.store.write((tx) => tx.delete(sandbox_messages))
    return json(200, { success: true })
  })
}

function onlyInSandbox(runtime: Runtime, handler: Handler): Handler {
  return (exchange) => {
    if (!runtime.config.sandbox) throw new AppError('NOT_FOUND', 'There is nothing here.')
    return handler(exchange)
  }
}

function queryOf(url: URL): Record<string, string | number> {
  return Object.fromEntries(
    [...url.searchParams].map(([name, text]) => [name, name !== 'to' && /^\d{1,16}$/.test(text) ? Number(text) : text]),
  )
}

async function messageRecord(row: typeof sandbox_messages.$inferSelect, project_public_id: string | null) {
  // Loaded with the first message: a service that never shows one starts a tenth of a second sooner.
  const { simpleParser } = await import('mailparser')
  const parsed = await simpleParser(row.raw, {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
  })
  return {
    id: row.id,
    project_id: project_public_id,
    from: parsed.from?.value[0]?.address ?? row.sender,
    to: row.recipient,
    subject: parsed.subject ?? '',
    headers: rawHeaders(parsed),
    text: parsed.text || null,
    html: parsed.html || null,
    raw: row.raw,
    received_at: iso(row.received_at),
  }
}

/** Each header as it stands in the message, unfolded; mailparser's own map makes objects of some. */
function rawHeaders(parsed: ParsedMail): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const { key, line } of parsed.headerLines) {
    const value = line
      .slice(line.indexOf(':') + 1)
      .replace(/\r?\n(?=[ \t])/g, '')
      .trim()
    const before = headers[key]
    headers[key] = before === undefined ? value : [before, value].flat()
  }
  return headers
}
