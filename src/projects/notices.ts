import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import type { MessageParts } from '../accounts/message-templates.ts'
import { queueNotice, type Sender } from '../accounts/notices.ts'
import type { ProjectId } from '../ids.ts'
import type { Tx } from '../store/open.ts'
import { members, type MessageKind, users } from '../store/tables/accounts.ts'

/** Queues a notice for the administrators of a project. Wake the loop `mail` after the commit. */
export async function tellAdministrators(
  tx: Tx,
  sender: Sender,
  { project_id, kind }: { project_id: ProjectId; kind: MessageKind },
  parts: Omit<MessageParts, 'closing'>,
): Promise<void> {
  const recipients = await memberAddresses(tx, project_id, inArray(members.role, ['owner', 'administrator']))
  await queueNotice(
    tx,
    sender,
    { kind, recipients },
    { ...parts, closing: 'You get this message because you administer the project.' },
  )
}

/** The addresses of the members of a project that `which` chooses. Disabled accounts get no mail. */
export async function memberAddresses(tx: Tx, project_id: ProjectId, which: SQL): Promise<string[]> {
  const rows = await tx
    .select({ email: users.email })
    .from(members)
    .innerJoin(users, eq(users.id, members.user_id))
    .where(and(eq(members.project_id, project_id), which, isNull(users.disabled_at)))
  return rows.map(({ email }) => email)
}
