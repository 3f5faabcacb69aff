import { useAction } from '../../api/action.ts'
import { send, sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import type { List } from '../../api/operations.d.ts'
import { useQuery } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import { Switch } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/callout.tsx'

const SETTINGS = '/project/letters/settings/get'

/** Whether the letters sent to a list are public, and at which address. */
export function LettersDialog({ list, onClose }: { list: List; onClose: () => void }) {
  const { data, error, reload } = useQuery(SETTINGS, () =>
    send('POST /project/letters/settings/get', { project_id: projectId() }),
  )
  const choose = useAction(
    (list_ids: number[]) => sendOnce('POST /project/letters/settings/update', { project_id: projectId(), list_ids }),
    { invalidates: [SETTINGS] },
  )
  const isPublic = data?.list_ids.includes(list.id) ?? false
  const isEditor = can('editor')
  const set = (on: boolean) =>
    choose.run(on ? [...data!.list_ids, list.id] : data!.list_ids.filter((id) => id !== list.id))
  return (
    <Dialog title={`Sent letters of “${list.name}”`} onClose={onClose}>
      <div class="stack">
        {error && !data && <ErrorNote title="This could not be loaded." error={error} retry={reload} />}
        {choose.error && <ErrorNote title="This was not changed." error={choose.error} />}
        {!data && !error && <Skeleton lines={2} />}
        {data && (
          <Switch
            label="Sent letters are public"
            checked={isPublic}
            busy={choose.busy}
            disabled={!isEditor}
            onChange={(on) => void set(on)}
            hint="Everybody can read on your site what was sent to this list, without any name. A letter that also went to others is shown only if all its lists are public here."
          />
        )}
        {!isEditor && <p class="quiet">{whoMay('Changing it', 'editor')}</p>}
        {data && isPublic && !list.archived && (
          <p>
            <a href={data.url} target="_blank" rel="noopener">
              {data.url}
            </a>
          </p>
        )}
        {isPublic && list.archived && <p>The list is archived: its letters are not shown until it is back.</p>}
      </div>
    </Dialog>
  )
}
