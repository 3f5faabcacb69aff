import type { ResponseOf } from '../../api/calls.ts'
import { number, share } from '../../ui/format.ts'
import type { Column } from '../../ui/table.tsx'

type Results = Pick<ResponseOf<'campaigns/list'>['items'][number], 'stats'>

/** The recipients of a campaign, and the shares of those reached who opened and clicked, as in its report. */
export const RESULT_COLUMNS: readonly Column<Results>[] = [
  {
    id: 'people',
    head: 'People',
    align: 'end',
    card: 'line',
    cell: ({ stats }) => (stats && stats.recipients > 0 ? number(stats.recipients) : '–'),
  },
  {
    id: 'opened',
    head: 'Opened',
    align: 'end',
    card: 'line',
    cell: ({ stats }) => (stats && stats.reached > 0 ? share(stats.unique_opens, stats.reached) : '–'),
  },
  {
    id: 'clicked',
    head: 'Clicked',
    align: 'end',
    card: 'line',
    cell: ({ stats }) => (stats && stats.reached > 0 ? share(stats.unique_clicks, stats.reached) : '–'),
  },
]
