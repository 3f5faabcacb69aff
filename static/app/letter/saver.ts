import { send } from '../api/calls.ts'
import { data, projectId } from '../api/data.ts'
import { useQuery } from '../api/query.ts'
import { can } from '../api/role.ts'

/** The name of who saved at a time, where the person may read the audit log; null while it is not known. */
export function useSaver(updated_at: string): string | null {
  const { data: found } = useQuery(`/project/audit/list ${updated_at}`, () => findSaver(updated_at), {
    enabled: can('administrator'),
  })
  return found ?? null
}

async function findSaver(updated_at: string): Promise<string | null> {
  const project_id = projectId()
  const [{ items }, { members }] = await Promise.all([
    send('POST /project/audit/list', { project_id, from: updated_at, limit: 50 }),
    send('POST /project/members/list', { project_id }),
  ])
  const row = items.toReversed().find(({ action }) => /^(?:campaigns|templates)\/update$/.test(action))
  const id = row?.actor.replace(/^user:/, '')
  if (id === data.user.id) return 'You, in another window,'
  const member = members.find((entry) => entry.user_id === id)
  return member ? [member.firstName, member.lastName].filter(Boolean).join(' ') || member.email : null
}
