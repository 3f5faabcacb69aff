import { and, eq, inArray, isNull } from 'drizzle-orm'
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
  const administrators = await tx
    .select({ email: users.email })
    .from(members)
    .innerJoin(users, eq(users.id, members.user_id))
    .where(
      and(
        eq(members.project_id, project_id),
        inArray(members.role, ['owner', 'administrator']),
        isNull(users.disabled_at),
      ),
    )
  await queueNotice(
    tx,
    sender,
    { kind, recipients: administrators.map(({ email }) => email) },
    { ...parts, closing: 'You get this message because you administer the project.' },
  )
}
