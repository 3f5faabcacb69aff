import type { Import } from '../api/operations.d.ts'
import { link } from '../api/link.ts'
import { type Step, Steps } from '../ui/steps.tsx'

const STEPS = [
  ['file', 'File'],
  ['columns', 'Columns'],
  ['consent', 'Consent'],
  ['check', 'Check'],
  ['import', 'Import'],
] as const

export type StepId = (typeof STEPS)[number][0]

/** The steps of an import. Completed ones are links. */
export function ImportSteps({ current, record }: { current: StepId; record: Import | null }) {
  const now = STEPS.findIndex(([step]) => step === current)
  const steps = STEPS.map(([step, label], index): Step => {
    const state = index < now ? 'done' : index === now ? stateOf(record) : 'later'
    const isBack = state === 'done' && record !== null && step !== 'file' && current !== 'import'
    return { id: step, label, state, ...(isBack ? { href: link(`/imports/${record.id}`, { step }) } : {}) }
  })
  return <Steps label="Steps of the import" steps={steps} current={current} />
}

/** The state of each step. */
function stateOf(record: Import | null): Step['state'] {
  if (record?.status === 'failed') return 'wrong'
  return record?.status === 'completed' || record?.status === 'cancelled' ? 'done' : 'now'
}
