import type { Translations } from './translations.ts'

export const fi: Translations = {
  lang: 'fi',
  not_found: ['Linkki ei toimi', 'Se on puutteellinen tai muuttunut matkalla. Avaa se uudelleen viestistä.'],
  gone: ['Linkki ei ole enää voimassa', 'Osoitettasi ei enää säilytetä täällä, joten sinun ei tarvitse tehdä mitään.'],
  failed: ['Jokin meni vikaan', 'Yritä hetken kuluttua uudelleen.'],
  test_message: ['Tämä oli testiviesti', 'Sen linkit eivät muuta mitään.'],
  confirm: {
    title: 'Vahvista tilauksesi',
    text: (names, address) => `Kun vahvistat tilauksen (${names}), viestit lähetetään osoitteeseen ${address}.`,
    button: 'Vahvista tilaus',
    hint: 'Jos et ole pyytänyt tätä, voit vain sulkea sivun: ilman vahvistustasi mitään ei lähetetä.',
  },
  confirmed: ['Tilauksesi on vahvistettu', (names) => `Kiitos. Saat tästä lähtien nämä viestit: ${names}.`],
  nothing_to_confirm: ['Vahvistettavaa ei ole', 'Tilauksesi on jo vahvistettu, tai olet sittemmin peruuttanut sen.'],
  unsubscribe: {
    title: 'Peruuta tilaus',
    text: (address) => `Mitä viestejä et enää halua osoitteeseen ${address}?`,
    lists: (names) => `Peruuta tilaus: ${names}`,
    everything: 'Peruuta kaikki tilaukset',
    preferences: 'Valitse mieluummin listat',
  },
  unsubscribed: ['Tilauksesi on peruutettu', (address) => `Osoitteeseen ${address} ei enää lähetetä viestejä.`],
  unsubscribed_lists: ['Tilauksesi on peruutettu', (names) => `Et saa enää näitä viestejä: ${names}.`],
  preferences: {
    title: 'Asetuksesi',
    text: (address) => `Valitse, mitkä viestit lähetetään osoitteeseen ${address}.`,
    legend: 'Listat',
    pending: 'Odottaa vahvistustasi; vahvista nyt rastittamalla ruutu.',
    none: 'Valittavia listoja ei ole.',
    save: 'Tallenna',
    unsubscribe_all: 'Peruuta kaikki tilaukset',
    saved: 'Valintasi on tallennettu.',
    blocked:
      'Viestien lähettäminen tähän osoitteeseen on estetty, joten listaa ei voitu tilata. Ota yhteyttä lähettäjään.',
    unsubscribed: 'Kaikki tilauksesi on peruutettu. Jos haluat listan viestit taas, rastita lista ja tallenna.',
  },
  forms: {
    sent: ['Kiitos', 'Viestisi on lähetetty.'],
    signed_up: ['Kiitos', 'Jos tilaus pitää vahvistaa, vahvistusviesti on matkalla sähköpostiisi.'],
    refused: [
      'Lähetys ei onnistunut',
      'Jotain puuttuu tai jokin tieto ei ole oikein. Palaa takaisin ja tarkista antamasi tiedot.',
    ],
    too_many: ['Odota hetki', 'Lähetyksiä on ollut liian monta. Yritä uudelleen minuutin kuluttua.'],
    failed: ['Jokin meni vikaan', 'Yritä hetken kuluttua uudelleen.'],
  },
  confirmation: {
    subject: (project) => `${project}: vahvista tilauksesi`,
    request: (project) =>
      `Olet tilannut viestejä, joiden lähettäjä on ${project}. Vahvista, että tämä on sinun osoitteesi.`,
    button: 'Vahvista tilaus',
    closing: 'Jos et ole pyytänyt tätä, sinun ei tarvitse tehdä mitään: ilman vahvistustasi mitään ei lähetetä.',
  },
  sign_up: { first_name: 'Etunimi', last_name: 'Sukunimi', button: 'Tilaa' },
  own_link: {
    title: 'Hallitse tilaustasi',
    text: 'Kirjoita osoite, johon nämä viestit saapuvat. Lähetämme siihen henkilökohtaisen linkin.',
    email: 'Sähköpostiosoite',
    button: 'Lähetä linkki',
    sent: 'Jos tämä osoite saa viestejämme, linkki on matkalla.',
    subject: (project) => `Linkkisi: ${project}`,
    request: (project) =>
      `Pyysit linkkiä tilaukseesi: ${project}. Se avaa sivun, jolla voit valita listoja tai perua tilauksen.`,
    closing: 'Jos et pyytänyt tätä, sinun ei tarvitse tehdä mitään. Mikään ei ole muuttunut.',
  },
  letters: {
    title: 'Lähetetyt kirjeet',
    older: 'Vanhemmat',
    newer: 'Uudemmat',
    none: 'Mitään ei ole vielä lähetetty.',
  },
  email: { unsubscribe: 'Peruuta tilaus', preferences: 'Asetukset', view: 'Näytä selaimessa', read_more: 'Lue lisää' },
}
