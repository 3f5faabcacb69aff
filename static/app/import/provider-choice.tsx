import { projectId } from '../api/data.ts'
import { send } from '../api/calls.ts'
import type { Import } from '../api/operations.d.ts'
import { useQuery } from '../api/query.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Select } from '../ui/field.tsx'
import { type ChangeImport, type ImportDraft, suggestedMapping } from './draft.ts'

interface Props {
  record: Import
  draft: ImportDraft
  change: ChangeImport
}

/** How the export of another program is read. */
const OF_AN_EXPORT = { create_tags: true, on_invalid_value: 'drop_value', update_existing: true } as const
const NOTHING_CHOSEN = {
  ...{ create_tags: undefined, on_invalid_value: undefined, update_existing: undefined, default_status: undefined },
}

/** The program that exported the file: its columns are mapped as the program means them. */
export function ProviderChoice({ record, draft, change }: Props) {
  const query = { project_id: projectId(), import_id: record.id }
  const { data } = useQuery(`imports/providers ${record.id} ${record.updated_at}`, (signal) =>
    send('GET /project/imports/providers', {}, { query, signal }),
  )
  const providers = data?.items ?? []
  if (providers.length === 0) return null
  const chosen = providers.find(({ provider }) => provider === draft.provider)
  const fitting = draft.provider === undefined ? providers.find(({ fits }) => fits) : undefined
  const choose = (id: string) => {
    const provider = providers.find((one) => one.provider === id)
    change(({ options }) =>
      provider
        ? {
            provider: id,
            mapping: provider.mapping,
            options: {
              ...options,
              ...OF_AN_EXPORT,
              default_status: provider.default_status ?? undefined,
            },
          }
        : { provider: '', mapping: suggestedMapping(record), options: { ...options, ...NOTHING_CHOSEN } },
    )
  }
  return (
    <>
      {fitting && (
        <div class="row">
          <Button icon="check" onClick={() => choose(fitting.provider)}>
            {`This is ${/^[aeiou]/i.test(fitting.name) ? 'an' : 'a'} ${fitting.name} export`}
          </Button>
        </div>
      )}
      <Select
        label="Which program made the file?"
        value={draft.provider ?? ''}
        onInput={choose}
        options={[
          { value: '', label: 'Another one' },
          ...providers.map(({ provider, name }) => ({ value: provider, label: name })),
        ]}
      />
      {chosen && !chosen.knows_status && (
        <Callout tone="wait" title="The file does not say who left.">
          <p>
            Neither a column nor the name of the file tells it, so everybody counts as subscribed. Export it with the
            status of each person.
          </p>
        </Callout>
      )}
      {chosen?.warning && (
        <Callout tone="wait" title="People who left one list may be in it.">
          <p>{chosen.warning}</p>
        </Callout>
      )}
    </>
  )
}
