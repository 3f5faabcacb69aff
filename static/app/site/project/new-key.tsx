import { useSignal } from '@preact/signals'
import { ROLES } from '../../../../src/shared/roles.ts'
import { KEY_SCOPES, SCOPES } from '../../../../src/shared/scopes.ts'
import { useAction } from '../../api/action.ts'
import { type RouteRequest, type RouteResponse, sendOnce } from '../../api/calls.ts'
import { data, projectId } from '../../api/data.ts'
import { can } from '../../api/role.ts'
import { Checkbox } from '../../ui/choice.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { KEYS } from './keys-data.ts'

export type Made = RouteResponse<'POST /project/api-keys/create'>
type Limits = RouteRequest<'POST /project/api-keys/create'>
type Role = NonNullable<Limits['role']>
type Scope = NonNullable<Limits['scopes']>[number]

const FIELDS = ['/name', '/role', '/scopes', '/expires_on']

/** Makes a key: its name, and what it may do less than the user. */
export function NewKey({ onMade, onClose }: { onMade(made: Made): void; onClose(): void }) {
  const own = data.project!.role
  const name = useSignal('')
  const role = useSignal<Role>(own)
  const scopes = useSignal<readonly Scope[]>(KEY_SCOPES)
  const until = useSignal('')
  const make = useAction(
    () =>
      sendOnce('POST /project/api-keys/create', {
        project_id: projectId(),
        name: name.value,
        ...(role.value !== own && { role: role.value }),
        ...(scopes.value.length < KEY_SCOPES.length && { scopes: [...scopes.value] }),
        ...(until.value !== '' && { expires_on: endOf(until.value) }),
      }),
    { invalidates: [KEYS], done: onMade },
  )
  const flawOf = (path: string) => make.error?.flawOf(path)
  return (
    <FormDialog
      title="New key"
      verb="Make the key"
      busy={make.busy}
      error={FIELDS.some(flawOf) ? null : make.error}
      missing={scopes.value.length === 0 ? 'Choose what it may do first.' : null}
      onSubmit={() => void make.run(undefined)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="What will use it: “Website”, “Nightly import”. The name helps to know which one to revoke."
        value={name.value}
        onInput={(value) => (name.value = value)}
        flaw={flawOf('/name')}
        autocomplete="off"
      />
      <Select
        label="Role"
        hint="It never has more than your own role, also when yours is lowered."
        options={ROLES.filter((each) => can(each)).map((value) => ({
          value,
          label: value === own ? `As mine: ${value}` : `At most ${value}`,
        }))}
        value={role.value}
        onInput={(value) => (role.value = value as Role)}
        flaw={flawOf('/role')}
      />
      <fieldset class="field">
        <legend class="field-label">What it may do</legend>
        {KEY_SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={SCOPES[scope]!.label}
            checked={scopes.value.includes(scope)}
            onChange={(on) =>
              (scopes.value = KEY_SCOPES.filter((each) => (each === scope ? on : scopes.value.includes(each))))
            }
          />
        ))}
      </fieldset>
      <TextField
        label="Works until"
        hint="The last day. Empty: until it is revoked."
        type="date"
        optional
        value={until.value}
        onInput={(value) => (until.value = value)}
        flaw={flawOf('/expires_on')}
      />
    </FormDialog>
  )
}

/** The end of a day of the user's calendar. */
function endOf(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + 1).toISOString()
}
