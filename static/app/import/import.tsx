import { useLocation } from 'preact-iso'
import { useRead } from '../api/query.ts'
import type { Import as ImportRecord } from '../api/operations.d.ts'
import type { PageProps } from '../page-props.ts'
import { link } from '../api/link.ts'
import { useKeptFocus } from '../ui/kept-focus.ts'
import { PageHead } from '../ui/page.tsx'
import { PageWaiting } from '../ui/page-waiting.tsx'
import { CheckStep } from './check-step.tsx'
import { ColumnsStep } from './columns-step.tsx'
import { ConsentStep } from './consent-step.tsx'
import { useImportDraft } from './draft.ts'
import { ImportSteps, type StepId } from './import-steps.tsx'
import { Running } from './running.tsx'

const LIVE_MS = 1_000

/** An import at its current step. The address names a completed step that the user went back to. */
export default function Import({ params, query }: PageProps) {
  const asked = { import_id: Number(params.id) }
  const status = useRead('imports/get', asked).data?.import.status
  const isRunning = status === 'queued' || status === 'processing'
  const { data, error, reload } = useRead('imports/get', asked, { every_ms: isRunning ? LIVE_MS : null })
  if (!data)
    return <PageWaiting title="Import" error={error} failure="The import could not be loaded." retry={reload} />
  return <Opened key={data.import.id} record={data.import} query={query} />
}

function Opened({ record, query }: { record: ImportRecord; query: PageProps['query'] }) {
  const { route } = useLocation()
  const [draft, change] = useImportDraft(record)
  const step = stepOf(record, query.step)
  useKeptFocus(JSON.stringify([step, draft.mapping, draft.options.create_tags]), () =>
    document.querySelector('[data-page-title]'),
  )
  const go = (next: StepId) => route(link(`/imports/${record.id}`, { step: next }))
  return (
    <div class="import">
      <PageHead title={record.filename || 'Pasted rows'} back={{ href: link('/imports'), label: 'Imports' }} />
      <ImportSteps current={step} record={record} />
      {step === 'columns' && <ColumnsStep {...{ record, draft, change }} onNext={() => go('consent')} />}
      {step === 'consent' && <ConsentStep {...{ draft, change }} onNext={() => go('check')} />}
      {step === 'check' && (
        <CheckStep
          key={String(draft.options.create_tags)}
          {...{ record, draft }}
          onBack={go}
          onMakeTags={() => change(({ options }) => ({ options: { ...options, create_tags: true } }))}
        />
      )}
      {step === 'import' && <Running record={record} />}
    </div>
  )
}

function stepOf({ status }: ImportRecord, named: string | undefined): StepId {
  if (status !== 'staged' && status !== 'validated') return 'import'
  return named === 'consent' || named === 'check' ? named : 'columns'
}
