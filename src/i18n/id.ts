import type { Translations } from './translations.ts'

export const id: Translations = {
  lang: 'id',
  not_found: [
    'Tautan ini tidak berfungsi',
    'Tautan tidak lengkap atau berubah di perjalanan. Silakan buka lagi dari pesan yang Anda terima.',
  ],
  gone: [
    'Tautan ini sudah tidak berlaku',
    'Alamat Anda tidak lagi disimpan di sini, jadi tidak ada lagi yang perlu dilakukan.',
  ],
  failed: ['Terjadi kesalahan', 'Silakan coba beberapa saat lagi.'],
  test_message: ['Ini adalah pesan uji coba', 'Tautan di dalamnya tidak mengubah apa pun.'],
  confirm: {
    title: 'Konfirmasi langganan Anda',
    text: (names, address) => `Setelah Anda mengonfirmasi, pesan dari ${names} akan dikirim ke ${address}.`,
    button: 'Konfirmasi langganan saya',
    hint: 'Jika Anda tidak memintanya, cukup tutup halaman ini: tanpa konfirmasi Anda, tidak ada yang akan dikirim.',
  },
  confirmed: [
    'Anda sudah berlangganan',
    (names) => `Terima kasih. Mulai sekarang Anda akan menerima pesan dari ${names}.`,
  ],
  nothing_to_confirm: [
    'Tidak ada yang perlu dikonfirmasi',
    'Langganan Anda sudah dikonfirmasi sebelumnya, atau Anda telah berhenti berlangganan sejak itu.',
  ],
  unsubscribe: {
    title: 'Berhenti berlangganan',
    text: (address) => `Pesan mana yang tidak perlu lagi dikirim ke ${address}?`,
    lists: (names) => `Berhenti berlangganan ${names}`,
    everything: 'Berhenti berlangganan semuanya',
    preferences: 'Pilih daftar yang ingin diterima',
  },
  unsubscribed: [
    'Anda telah berhenti berlangganan',
    (address) => `Tidak ada lagi pesan yang akan dikirim ke ${address}.`,
  ],
  unsubscribed_lists: [
    'Anda telah berhenti berlangganan',
    (names) => `Anda tidak akan lagi menerima pesan dari ${names}.`,
  ],
  preferences: {
    title: 'Preferensi Anda',
    text: (address) => `Pilih pesan yang akan dikirim ke ${address}.`,
    legend: 'Daftar',
    pending: 'Menunggu konfirmasi Anda; centang untuk mengonfirmasi sekarang.',
    none: 'Tidak ada daftar yang dapat dipilih.',
    save: 'Simpan',
    unsubscribe_all: 'Berhenti berlangganan semuanya',
    saved: 'Pilihan Anda telah disimpan.',
    blocked:
      'Pengiriman pesan ke alamat ini diblokir, sehingga pendaftaran ke daftar tidak dapat dilakukan. ' +
      'Silakan hubungi pengirim.',
    unsubscribed:
      'Anda telah berhenti berlangganan semuanya. Untuk menerima pesan lagi, centang salah satu daftar, lalu simpan.',
  },
  forms: {
    sent: ['Terima kasih', 'Pesan Anda telah dikirim.'],
    signed_up: ['Terima kasih', 'Jika konfirmasi diperlukan, pesan konfirmasi sedang dikirim ke kotak surat Anda.'],
    refused: ['Tidak dapat dikirim', 'Ada yang kurang atau tidak benar. Silakan kembali dan periksa isian Anda.'],
    too_many: ['Mohon tunggu sebentar', 'Pengiriman dilakukan terlalu sering. Silakan coba lagi dalam satu menit.'],
    failed: ['Terjadi kesalahan', 'Silakan coba beberapa saat lagi.'],
  },
  confirmation: {
    subject: (project) => `Mohon konfirmasi langganan Anda di ${project}`,
    request: (project) =>
      `Anda meminta untuk menerima pesan dari ${project}. Mohon konfirmasi bahwa ini adalah alamat Anda.`,
    button: 'Konfirmasi langganan saya',
    closing:
      'Jika Anda tidak memintanya, Anda tidak perlu melakukan apa pun: tanpa konfirmasi Anda, tidak ada ' +
      'yang akan dikirim.',
  },
  sign_up: { button: 'Berlangganan' },
  own_link: {
    title: 'Kelola langganan Anda',
    text: 'Masukkan alamat yang menerima pesan ini. Kami akan mengirim tautan pribadi ke alamat itu.',
    email: 'Alamat email',
    button: 'Kirim tautan',
    sent: 'Jika alamat ini menerima pesan kami, tautannya sedang dikirim.',
    subject: (project) => `Tautan Anda untuk ${project}`,
    request: (project) =>
      `Anda meminta tautan ke langganan ${project}. Tautan itu membuka halaman untuk memilih daftar atau berhenti berlangganan.`,
    closing: 'Jika Anda tidak memintanya, Anda tidak perlu melakukan apa pun. Tidak ada yang berubah.',
  },
  letters: { title: 'Surat terkirim', older: 'Lebih lama', newer: 'Lebih baru', none: 'Belum ada yang dikirim.' },
  email: {
    unsubscribe: 'Berhenti berlangganan',
    preferences: 'Preferensi',
    view: 'Lihat di peramban',
    read_more: 'Baca selengkapnya',
  },
  consent: {
    label: 'Persetujuan',
    question: 'Bolehkah situs ini menggunakan layanan yang tidak wajib?',
    accept: 'Terima',
    decline: 'Tolak',
    choose: 'Pilih',
    save: 'Simpan pilihan',
    reopen: 'Pilihan privasi',
    privacy: 'Privasi',
    functional: 'Fungsional',
    functional_purpose: 'Tambahan seperti obrolan, peta, dan video.',
    analytics: 'Analitik',
    analytics_purpose: 'Menghitung kunjungan agar situs menjadi lebih baik.',
    advertising: 'Iklan',
    advertising_purpose: 'Menampilkan iklan dan mengukur hasilnya.',
  },
  form_notice: {
    entries: (count) => `Entri baru pada formulir Anda: ${count}`,
    more: (count) => `Entri lainnya: ${count}`,
    button: 'Baca di Masthead',
    closing: (project) =>
      `Anda menerima pesan ini karena proyek “${project}” memberi tahu Anda apa yang diterima formulirnya.`,
  },
}
