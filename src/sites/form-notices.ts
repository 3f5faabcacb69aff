import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import { PORTAL_PATH } from '../accounts/links.ts'
import { DAY_MS, iso, MINUTE_MS } from '../clock.ts'
import { message, type MessageContent } from '../accounts/message-templates.ts'
import { queueMessage } from '../accounts/messages.ts'
import { mayBeTold } from '../accounts/notices.ts'
import { isolate, translationsFor } from '../i18n/languages.ts'
import { memberAddresses } from '../projects/notices.ts'
import { checker, Email } from '../schema.ts'
import type { Loop, LoopContext } from '../runtime.ts'
import type { Tx } from '../store/open.ts'
import { jsonText } from '../store/json-text.ts'
import { first } from '../store/rows.ts'
import { members, projects } from '../store/tables/accounts.ts'
import { newsletter_settings } from '../store/tables/delivery.ts'
import { type EntryFields, EVERY_OTHER_FORM, form_settings, OWNER } from '../store/tables/sites.ts'
import { fieldText } from './entries.ts'
import { withoutOwn } from './form-settings.ts'

/** Tells members by mail what forms received (docs/api/sites.md#notices-and-retention). */
export const formLoop: Loop = { name: 'forms', pattern: '*/30 * * * * *', tick: tellNext }

type Settings = typeof form_settings.$inferSelect
interface Told {
  form: string
  fields: EntryFields
  created_at: number
}

/** The most entries that one mail shows in full; of the others it gives the number. */
const MAX_TOLD = 10
const MAX_VALUE = 2_000
/** A notice is dropped after this time. Its entries stay in the project. */
const MAIL_LIFE_MS = 3 * DAY_MS
/** How long a notice waits when all of its recipients have reached their limit. */
const PUT_OFF_MS = 10 * MINUTE_MS

async function tellNext({ store, keys, clock, base_url, wake }: LoopContext): Promise<boolean> {
  const now = clock.now()
  const isDue = lte(form_settings.tell_at, now)
  if (!first(await store.db.select({ form: form_settings.form }).from(form_settings).where(isDue).limit(1)))
    return false
  await store.write(async (tx) => {
    const due = first(await tx.select().from(form_settings).where(isDue).orderBy(asc(form_settings.tell_at)).limit(1))
    if (!due) return
    const ofForm = and(eq(form_settings.project_id, due.project_id), eq(form_settings.form, due.form))
    const named = sql`${members.user_id} IN (SELECT value FROM json_each(${jsonText(due.notify)}))`
    const wantIt = due.notify.includes(OWNER) ? sql`(${members.role} = 'owner' OR ${named})` : named
    const wanting = await memberAddresses(tx, due.project_id, wantIt)
    const recipients: string[] = []
    for (const recipient of wanting)
      if (await mayBeTold(tx, { kind: 'form_notice', recipient }, now)) recipients.push(recipient)
    if (wanting.length > 0 && recipients.length === 0) {
      await tx
        .update(form_settings)
        .set({ tell_at: now + PUT_OFF_MS })
        .where(ofForm)
      return
    }
    await tx.update(form_settings).set({ tell_from: null, tell_at: null, told_at: now }).where(ofForm)
    const content = await noticeOf(tx, due, base_url)
    if (content === null) return
    for (const recipient of recipients)
      await queueMessage(tx, keys, { kind: 'form_notice', recipient, useful_ms: MAIL_LIFE_MS, content }, now)
  })
  wake('mail')
  return true
}

/** The content of the notice; null when the entries or the project were deleted meanwhile. */
async function noticeOf(
  tx: Tx,
  { project_id, form, tell_from }: Settings,
  base_url: string,
): Promise<MessageContent | null> {
  const project = first(
    await tx
      .select({ name: projects.name, slug: projects.slug, locale: newsletter_settings.locale })
      .from(projects)
      .leftJoin(newsletter_settings, eq(newsletter_settings.project_id, projects.id))
      .where(and(eq(projects.id, project_id), isNull(projects.deleted_at))),
  )
  const isOfForm = form === EVERY_OTHER_FORM ? withoutOwn(sql`${project_id}`) : sql`entry.form = ${form}`
  const isNew = sql`entry.project_id = ${project_id} AND entry.id >= ${tell_from} AND ${isOfForm}`
  const [counted] = await tx.all<{ entries: number }>(
    sql`SELECT count(*) AS entries FROM form_entries entry WHERE ${isNew}`,
  )
  const count = counted!.entries
  if (!project || count === 0) return null
  const rows = await tx.all<{ form: string; fields: string; created_at: number }>(sql`
    SELECT form, fields, created_at FROM form_entries entry WHERE ${isNew} ORDER BY id LIMIT ${MAX_TOLD}`)
  const told: Told[] = rows.map((row) => ({ ...row, fields: JSON.parse(row.fields) as EntryFields }))
  const where = `${base_url}${PORTAL_PATH}/projects/${project.slug}/forms`
  const words = translationsFor(project.locale)
  const { entries, more, button, closing } = words.form_notice
  const isMixed = form === EVERY_OTHER_FORM
  const content = message(base_url, {
    lang: words.lang,
    // A subject is read before the message is opened, so it has no words of visitors.
    subject: entries(String(count)),
    paragraphs: [...told.map(entryText), ...(count > told.length ? [more(String(count - told.length))] : [])],
    link: {
      label: button,
      address: isMixed ? where : `${where}/${encodeURIComponent(form)}`,
    },
    closing: closing(isolate(words, project.name)),
  })
  const reply_to = count === 1 ? replyAddress(told[0]!.fields) : null
  return reply_to === null ? content : { ...content, reply_to: { email: reply_to } }
}

function entryText({ form, fields, created_at }: Told): string {
  const at = iso(created_at).slice(0, 16).replace('T', ' ')
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${short(fieldText(value))}`)
  return [`${form}, ${at} UTC`, ...lines].join('\n')
}

function short(text: string): string {
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`
}

/** The address in the field `email`, so that an answer reaches the visitor. */
function replyAddress(fields: EntryFields): string | null {
  const given = Object.entries(fields).find(([name]) => name.toLowerCase() === 'email')?.[1]
  return checker(Email).Check(given) ? given : null
}
