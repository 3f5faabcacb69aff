import { expect, test } from 'bun:test'
import { useTab } from '../../../support/tab.ts'
import { counts } from '../../../support/answers.ts'
import { RESULT_COLUMNS } from '../../../../static/app/site/campaigns/result-columns.ts'

useTab()

test.each([
  ['nobody has counted', undefined, ['–', '–', '–']],
  ['nobody is to get', counts({ recipients: 0, sent: 0 }), ['–', '–', '–']],
  ['has not left', counts({ recipients: 1_200, sent: 0 }), ['1,200', '–', '–']],
  ['has left', counts({ recipients: 1, sent: 1, unique_opens: 1, unique_clicks: 0 }), ['1', '100%', '0%']],
  ['is read', counts({ recipients: 90, sent: 80, unique_opens: 40, unique_clicks: 20 }), ['90', '50%', '25%']],
])('A campaign that %s stands with what became of it, as far as that is known.', (_, stats, shown) => {
  expect(RESULT_COLUMNS.map(({ cell }) => String(cell({ stats } as never)))).toEqual(shown)
})
