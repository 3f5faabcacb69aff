import { describe, expect, test } from 'bun:test'
import { AppError, type Flaw } from '../../../src/errors.ts'
import { checker } from '../../../src/schema.ts'
import { BLOCK_TYPES } from '../../../src/newsletter/email/blocks.ts'
import { checkDocument, EmailDocument } from '../../../src/newsletter/email/document.ts'

const block = (type: string, props: unknown, id = 'b1') => ({ id, type, props })
const document = (...blocks: unknown[]) => ({ version: 1, settings: {}, blocks })

function flawsOf(value: unknown, basePath = '/editor_json'): Flaw[] {
  try {
    checkDocument(value, basePath)
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    expect((error as AppError).code).toBe('VALIDATION_FAILED')
    return (error as AppError).details as Flaw[]
  }
  return []
}
const pathsOf = (value: unknown): string[] => flawsOf(value).map(({ path }) => path)

const FULL = {
  version: 1,
  settings: { background_color: '#fff', content_width: 640, font_family: 'Georgia, \'Times New Roman\', serif', text_color: '#222222', link_color: '#00f', preheader: 'Hello' },
  blocks: [
    block('text', { html: '<p>x</p>' }, '1'),
    block('html', { html: '' }, '2'),
    block('heading', { text: 'Hi {{ contact.first_name }}', level: 2, align: 'center' }, '3'),
    block('button', { text: 'Go', href: 'https://a.example/?n={{ contact.first_name | default: a b }}', background_color: '#000', text_color: '#fff' }, '4'),
    block('image', { src: 'https://a.example/x.png', alt: '', width: 300, href: '{{ contact.custom.site }}' }, '5'),
    block('divider', { color: '#eee', thickness: 2 }, '6'),
    block('footer', { text: 'Bye\nnow', align: 'left' }, '7'),
  ],
}

test('a document with everything passes, by the check and by the published schema', () => {
  expect(checkDocument(FULL, '')).toEqual(FULL as EmailDocument)
  expect(checker(EmailDocument).Check(FULL)).toBe(true)
  expect(pathsOf(document())).toEqual([])
})

describe('each flaw is named by its place', () => {
  test.each<[string, unknown, string[]]>([
    ['no document', null, ['/editor_json']],
    ['a text', 'x', ['/editor_json']],
    ['nothing in it', {}, ['/editor_json/version', '/editor_json/settings', '/editor_json/blocks']],
    ['another version', { ...FULL, version: 2 }, ['/editor_json/version']],
    ['unknown property', { ...FULL, extra: 1 }, ['/editor_json/extra']],
    ['unknown setting', { ...FULL, settings: { color: 'red' } }, ['/editor_json/settings/color']],
    ['colour by name', { ...FULL, settings: { text_color: 'red' } }, ['/editor_json/settings/text_color']],
    ['too narrow', { ...FULL, settings: { content_width: 100 } }, ['/editor_json/settings/content_width']],
    ['CSS in a font', { ...FULL, settings: { font_family: 'Arial;display:none' } }, ['/editor_json/settings/font_family']],
    ['open quote in a font', { ...FULL, settings: { font_family: '\'Arial' } }, ['/editor_json/settings/font_family']],
    ['line break in the preheader', { ...FULL, settings: { preheader: 'a\r\nb' } }, ['/editor_json/settings/preheader']],
    ['blocks is no array', { ...FULL, blocks: {} }, ['/editor_json/blocks']],
    ['block is no object', document('x'), ['/editor_json/blocks/0']],
    ['block without id', document({ type: 'text', props: { html: '' } }), ['/editor_json/blocks/0/id']],
    ['unknown type', document(block('video', {})), ['/editor_json/blocks/0/type']],
    ['inherited name as type', document(block('toString', {})), ['/editor_json/blocks/0/type']],
    ['props missing', document({ id: 'a', type: 'text' }), ['/editor_json/blocks/0/props']],
    ['property beside props', document({ ...block('text', { html: '' }), html: '' }), ['/editor_json/blocks/0/html']],
    ['html missing', document(block('text', {})), ['/editor_json/blocks/0/props/html']],
    ['html of wrong type', document(block('html', { html: 5 })), ['/editor_json/blocks/0/props/html']],
    ['unknown prop', document(block('text', { html: '', class: 'x' })), ['/editor_json/blocks/0/props/class']],
    ['heading', document(block('heading', { text: '', level: 4, align: 'middle' })), ['level', 'align', 'text'].map((prop) => `/editor_json/blocks/0/props/${prop}`)],
    ['script link in the fourth block', document(block('divider', {}, 'a'), block('divider', {}, 'b'), block('divider', {}, 'c'), block('button', { text: 'x', href: 'javascript:alert(1)' }, 'd')),
      ['/editor_json/blocks/3/props/href']],
    ['relative link', document(block('button', { text: 'x', href: '/x' })), ['/editor_json/blocks/0/props/href']],
    ['link with a blank', document(block('button', { text: 'x', href: 'https://a.example/a b' })), ['/editor_json/blocks/0/props/href']],
    ['image from a data link', document(block('image', { src: 'data:image/png;base64,x', alt: '' })), ['/editor_json/blocks/0/props/src']],
    ['image from a mail link', document(block('image', { src: 'mailto:a@b.example', alt: '' })), ['/editor_json/blocks/0/props/src']],
    ['image without alt', document(block('image', { src: 'https://a.example/x.png' })), ['/editor_json/blocks/0/props/alt']],
    ['an id twice', document(block('divider', {}, 'a'), block('divider', {}, 'b'), block('divider', {}, 'a')), ['/editor_json/blocks/2/id']],
    ['two flaws', document(block('divider', { thickness: 0 }, 'a'), block('text', {}, 'a')),
      ['/editor_json/blocks/0/props/thickness', '/editor_json/blocks/1/props/html', '/editor_json/blocks/1/id']],
  ])('%s', (_, value, paths) => {
    expect(pathsOf(value).sort()).toEqual([...paths].sort())
  })

  test('the base path is the caller\'s, and every flaw says what is wrong', () => {
    expect(flawsOf(document(block('button', { text: 'x', href: 'x' })), '')).toEqual([
      { path: '/blocks/0/props/href', message: expect.stringContaining('begins with http') },
    ])
  })
})

describe('limits', () => {
  test('blocks', () => {
    const many = (count: number) => document(...Array.from({ length: count }, (_, at) => block('divider', {}, String(at))))
    expect(pathsOf(many(200))).toEqual([])
    expect(pathsOf(many(201))).toEqual(['/editor_json/blocks'])
  })

  test('HTML of one block, of all blocks, and their tags', () => {
    expect(pathsOf(document(block('text', { html: 'x'.repeat(200_001) })))).toEqual(['/editor_json/blocks/0/props/html'])
    const thrice = ['a', 'b', 'c'].map((id) => block('text', { html: 'x'.repeat(190_000) }, id))
    expect(pathsOf(document(...thrice))).toEqual(['/editor_json/blocks/2/props/html'])
    expect(pathsOf(document(block('html', { html: '<b>'.repeat(20_001) })))).toEqual(['/editor_json/blocks/0/props/html'])
  })

  test('at most twenty flaws are listed', () => {
    expect(pathsOf(document(...Array.from({ length: 50 }, (_, at) => block('text', {}, String(at)))))).toHaveLength(20)
  })
})

test('every block type is described, with a strict schema of its props', () => {
  expect(BLOCK_TYPES.map(({ type }) => type)).toEqual(['text', 'html', 'heading', 'button', 'image', 'divider', 'footer'])
  for (const { description, props } of BLOCK_TYPES) {
    expect(description.length).toBeGreaterThan(10)
    expect(JSON.parse(JSON.stringify(props))).toMatchObject({ type: 'object', additionalProperties: false })
  }
})
