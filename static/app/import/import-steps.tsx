import { link } from '../shell/place.ts'
import { type Step, Steps } from '../ui/steps.tsx'

const STEPS = [
  ['file', 'File'],
  ['columns', 'Columns'],
  ['consent', 'Consent'],
  ['check', 'Check'],
  ['import', 'Import'],
] as const

export type StepId = (typeof STEPS)[number][0]

/** Where an import is. Steps that are done lead back. */
export function ImportSteps({ current, id }: { current: StepId; id: number | null }) {
  const now = STEPS.findIndex(([step]) => step === current)
  const steps = STEPS.map(([step, label], index): Step => {
    const state = index < now ? 'done' : index === now ? 'now' : 'later'
    const isBack = state === 'done' && id !== null && step !== 'file' && current !== 'import'
    return { id: step, label, state, ...(isBack ? { href: link(`/imports/${id}`, { step }) } : {}) }
  })
  return <Steps label="Steps of the import" steps={steps} current={current} />
}
