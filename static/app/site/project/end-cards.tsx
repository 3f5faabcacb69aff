import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { sendOnce } from '../../api/calls.ts'
import { data, projectId } from '../../api/data.ts'
import { can, whoMay } from '../../api/role.ts'
import { confirmed } from '../../confirm-identity.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { nameOf, usePeople } from './members-data.ts'
import type { OwnProject } from './project-data.ts'

/** Actions of an owner: export, hand-over, deletion. */
export function EndCards({ project }: { project: OwnProject }) {
  const asked = useSignal<'hand-over' | 'delete' | null>(null)
  const close = () => (asked.value = null)
  if (!can('owner')) {
    return (
      <Card title="Export, hand over, delete">
        <p class="quiet">{whoMay('This', 'owner')}</p>
      </Card>
    )
  }
  return (
    <Card title="Export, hand over, delete">
      <div class="ends">
        <End name="Export" sentence="Everything that the project holds but credentials, as lines of JSON.">
          <Button icon="download" href={`/project/${projectId()}/export`} download={`${project.slug}.jsonl`}>
            Export everything
          </Button>
        </End>
        <End name="Hand over" sentence="Another member becomes owner in your place. You stay an administrator.">
          <Button onClick={() => (asked.value = 'hand-over')}>Hand over</Button>
        </End>
        <End name="Delete" sentence="The site, contacts, letters and all else that the project holds, for good.">
          <Button kind="danger" onClick={() => (asked.value = 'delete')}>
            Delete the project
          </Button>
        </End>
      </div>
      {asked.value === 'hand-over' && <HandOver project={project} onClose={close} />}
      {asked.value === 'delete' && (
        <ConfirmDialog
          title={`Delete ${project.name}?`}
          verb={`Delete ${project.name}`}
          danger
          typed={project.name}
          onClose={close}
          onConfirm={async () => {
            await confirmed(() => sendOnce('POST /project/delete', { project_id: projectId(), name: project.name }))
            location.assign('/portal/')
          }}
        >
          <p>
            At once nobody finds it: the site is gone, apps and keys are refused, nothing more is sent. What it held is
            erased within the hour. All administrators are told by mail.
          </p>
          <p>There is no way back. Take the export first if you may want anything of it.</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

function End({ name, sentence, children }: { name: string; sentence: string; children: ComponentChildren }) {
  return (
    <div class="end">
      <div>
        <h3>{name}</h3>
        <p class="quiet small">{sentence}</p>
      </div>
      {children}
    </div>
  )
}

function HandOver({ project, onClose }: { project: OwnProject; onClose(): void }) {
  const chosen = useSignal('')
  const others = usePeople().data?.members.filter(({ user_id }) => user_id !== data.user.id) ?? []
  const person = others.find(({ user_id }) => user_id === chosen.value)
  return (
    <ConfirmDialog
      title={`Hand ${project.name} over?`}
      verb={person ? `Hand over to ${nameOf(person)}` : 'Hand over'}
      danger
      disabled_reason={person ? null : 'Choose who becomes owner.'}
      onClose={onClose}
      onConfirm={async () => {
        await confirmed(() => sendOnce('POST /project/hand-over', { project_id: projectId(), user_id: chosen.value }))
        location.reload()
      }}
    >
      <div class="stack">
        <p>Only the new owner can then delete the project, make owners, or hand it back.</p>
        <Select
          label="New owner"
          value={chosen.value}
          placeholder={others.length === 0 ? 'Nobody else is a member' : 'Choose a member'}
          options={others.map((member) => ({ value: member.user_id, label: `${nameOf(member)}, ${member.email}` }))}
          onInput={(value) => (chosen.value = value)}
        />
      </div>
    </ConfirmDialog>
  )
}
