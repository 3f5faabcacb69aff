import { expect, test } from 'bun:test'
import { getSiteSettings, updateSiteSettings } from '../../src/sites/settings.ts'
import { newProject, NOW, sharedStore, write } from '../support/shared-store.ts'

test('A site asks for consent and no work until its settings change; each change keeps the others.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const { db } = await sharedStore()
  const unset = {
    consent_banner: true,
    consent_message: '',
    consent_accept: '',
    consent_decline: '',
    consent_privacy_url: '',
    consent_words: {},
    proof_of_work: false,
  }
  expect(await getSiteSettings(db, project)).toEqual(unset)
  const change = (changes: object) => write((tx) => updateSiteSettings(tx, project, changes, NOW))
  expect(await change({ proof_of_work: true })).toEqual({ ...unset, proof_of_work: true })
  await change({ consent_banner: false, consent_message: 'Hi' })
  const changed = { ...unset, proof_of_work: true, consent_banner: false, consent_message: 'Hi' }
  expect(await getSiteSettings(db, project)).toEqual(changed)
  expect(await getSiteSettings(db, other)).toEqual(unset)
})
