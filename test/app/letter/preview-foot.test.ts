import { expect, test } from 'bun:test'
import { block, editorOf, inEditor, letter } from '../../support/letter-editor.ts'
import { useTab } from '../../support/tab.ts'
import { PreviewFoot } from '../../../static/app/letter/preview-foot.tsx'

const tab = useTab()
const rendered = (more: object = {}) => ({ size_bytes: 1_024, warnings: [], ...more }) as never
const check = (code: string, ok: boolean, severity = 'error') => ({ code, ok, severity, message: `About ${code}.` })

test('It says how large the letter is, and when that is more than Gmail shows.', async () => {
  const editor = editorOf(letter([]))
  const size = async (size_bytes: number | null) => {
    await tab.draw(
      inEditor(editor, PreviewFoot, {
        rendered: size_bytes === null ? null : rendered({ size_bytes }),
        campaign: null,
      }),
    )
    const [words] = tab.all('footer > span')
    return [words!.textContent, words!.getAttribute('class')]
  }
  expect(await size(null)).toEqual(['…', null])
  expect(await size(1_025)).toEqual(['2 kB of 102 kB', null])
  expect(await size(102 * 1_024)).toEqual(['102 kB of 102 kB', null])
  expect(await size(102 * 1_024 + 1)).toEqual(['103 kB of 102 kB', 'tone-bad'])
})

test('Warnings lead to the block that they are about, where it is still there.', async () => {
  const editor = editorOf(letter([block('i', 'image', { src: '', alt: '' })]))
  const warnings = [{ message: 'No words.', block_id: 'i' }, { message: 'Gone.', block_id: 'x' }, { message: 'Large.' }]
  await tab.draw(inEditor(editor, PreviewFoot, { rendered: rendered({ warnings }), campaign: null }))
  expect(tab.texts('.preview-list li')).toEqual(['No words. Show the image', 'Gone.', 'Large.'])
  expect(tab.text('summary')).toBe('3 warnings')
  await tab.press('Show the image')
  expect([editor.selected.value, editor.focusing.value]).toEqual(['i', 1])
})

test('It says whether the letter could be sent, what fails first, and looks again when it is opened.', async () => {
  const editor = editorOf(letter([]))
  const draw = async (ready: boolean, ...checks: object[]) => {
    tab.answers['campaigns/readiness'] = { ready, checks }
    await tab.draw(inEditor(editor, PreviewFoot, { rendered: null, campaign: 7 }))
    return tab.text('summary')
  }
  expect(await draw(true, check('a', true))).toBe('1 check passed')
  expect(tab.sent('campaigns/readiness')).toMatchObject([{ campaign_id: 7 }])
  expect(tab.find('summary').hasAttribute('data-good')).toBe(true)
  expect(await draw(true, check('a', true), check('b', false, 'warning'))).toBe('1 of 2 checks')
  expect(['data-good', 'data-bad'].map((name) => tab.find('summary').hasAttribute(name))).toEqual([false, false])
  expect(await draw(false, check('a', true), check('b', false, 'warning'), check('c', false))).toBe(
    '1 of 3 checks, not ready yet',
  )
  expect(tab.find('summary').hasAttribute('data-bad')).toBe(true)
  expect(tab.texts('.preview-list li').map((line) => line.trim())).toEqual([
    'About b. Mend it in the review',
    'About c. Mend it in the review',
    'About a.',
  ])
  expect(tab.all('.preview-list svg').map((icon) => icon.getAttribute('aria-label'))).toEqual([
    ...['Warning', 'Not ready', 'Passed'],
  ])
  expect(tab.all('.preview-list a').map((one) => one.getAttribute('href'))).toEqual([
    '/portal/projects/harbour/campaigns/7/review',
    '/portal/projects/harbour/campaigns/7/review',
  ])
  const before = tab.calls.length
  Object.assign(tab.find('details'), { open: false })
  Object.assign(tab.find('details'), { open: true })
  await tab.settled()
  expect(tab.calls.length).toBe(before + 1)
})

test('Open steps of a new letter are no mistakes, and each check says where it is mended.', async () => {
  const fresh = ['subject', 'content', 'sender', 'audience'].map((code) => check(code, false))
  const draw = async (content = letter([]), checks: object[] = fresh) => {
    tab.answers['campaigns/readiness'] = { ready: false, checks }
    await tab.draw(inEditor(editorOf(content), PreviewFoot, { rendered: null, campaign: 7 }))
    return tab.find('summary').hasAttribute('data-bad')
  }
  expect(await draw()).toBe(false)
  expect(tab.texts('.preview-list li').map((line) => line.trim())).toEqual([
    'About subject. Write a subject',
    'About content. It is mended here, in the letter.',
    'About sender. Mend it in the review',
    'About audience. Choose people',
  ])
  expect(tab.find('.preview-list a[href*=field]').getAttribute('href')).toEndWith('/campaigns/7/review?field=audience')
  tab.data.base_url_problem = 'About links.'
  await draw(letter([block('a')]), [check('links', false)])
  expect(tab.texts('.preview-list li').map((line) => line.trim())).toEqual(['About links. Look at the sending'])
  expect(await draw(letter([block('a')]))).toBe(true)
  expect(await draw(letter([block('a')]), [check('subject', false), check('plan_limit', false)])).toBe(true)
})
