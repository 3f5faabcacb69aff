import { expect, test } from 'bun:test'
import { forgetWork } from '../../static/app/shell/forget.ts'

test("A person who signs out leaves no work of their own in the browser, and keeps choices and others' work.", () => {
  const kept: Record<string, unknown> = {
    'masthead-letter usr_ada campaign 1': '',
    'masthead-draft usr_ada prj_1 post 1': '',
    'masthead-versions usr_ada campaign 1': '',
    'masthead-test-addresses usr_ada': '',
    'masthead-import-7': '',
    'masthead-letter usr_bo campaign 1': '',
    'masthead-start-prj_1': '',
    'masthead-keys-off': '',
  }
  Object.defineProperty(kept, 'removeItem', { value: (name: string) => delete kept[name] })
  forgetWork(kept as unknown as Storage, 'usr_ada')
  expect(Object.keys(kept)).toEqual(['masthead-letter usr_bo campaign 1', 'masthead-start-prj_1', 'masthead-keys-off'])
})
