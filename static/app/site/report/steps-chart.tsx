import { useMemo } from 'preact/hooks'
import { Chart } from '../../ui/chart.tsx'
import { bySteps, type Step } from './moments.ts'

interface Props {
  /** What is counted: "Messages that left". */
  label: string
  moments: Parameters<typeof bySteps>[0]
  counted: Parameters<typeof bySteps>[1]
  step: Step
}

/** Counts of a campaign as bars, one a minute or hour. Nothing where there are none. */
export function StepsChart({ label, moments, counted, step }: Props) {
  const { x, series } = useMemo(() => bySteps(moments, counted, step, Date.now()), [moments])
  if (x.length === 0) return null
  return (
    <Chart
      label={`${label}, by ${step === 60 ? 'minute' : 'hour'}`}
      kind="bars"
      beside={counted.length > 1}
      x={x}
      series={series}
      x_head={step === 60 ? 'Minute' : 'Hour'}
      height={120}
    />
  )
}
