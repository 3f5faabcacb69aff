import type { Translations } from './translations.ts'

export const tr: Translations = {
  lang: 'tr',
  not_found: ['Bu bağlantı çalışmıyor', 'Bağlantı eksik ya da yolda değişmiş. Lütfen mesajdan yeniden açın.'],
  gone: ['Bu bağlantı artık geçerli değil', 'Adresiniz artık burada kayıtlı değil; yapmanız gereken bir şey yok.'],
  failed: ['Bir sorun oluştu', 'Lütfen biraz sonra yeniden deneyin.'],
  test_message: ['Bu bir deneme mesajıydı', 'İçindeki bağlantılar hiçbir şeyi değiştirmez.'],
  confirm: {
    title: 'Aboneliğinizi onaylayın',
    text: (names, address) => `Onayladığınızda ${names} mesajları ${address} adresine gönderilecek.`,
    button: 'Aboneliğimi onayla',
    hint: 'Bu isteği siz yapmadıysanız sayfayı kapatmanız yeterli: Onayınız olmadan hiçbir şey gönderilmez.',
  },
  confirmed: ['Aboneliğiniz onaylandı', (names) => `Teşekkür ederiz. Bundan böyle ${names} mesajlarını alacaksınız.`],
  nothing_to_confirm: [
    'Onaylanacak bir şey yok',
    'Aboneliğiniz daha önce onaylanmış ya da o zamandan beri sona ermiş.',
  ],
  unsubscribe: {
    title: 'Abonelikten çık',
    text: (address) => `Hangi mesajlar artık ${address} adresine gönderilmesin?`,
    lists: (names) => `${names} aboneliğinden çık`,
    everything: 'Tüm aboneliklerden çık',
    preferences: 'Bunun yerine listelerinizi seçin',
  },
  unsubscribed: ['Abonelikten çıktınız', (address) => `${address} adresine artık mesaj gönderilmeyecek.`],
  unsubscribed_lists: ['Abonelikten çıktınız', (names) => `Artık ${names} mesajlarını almayacaksınız.`],
  preferences: {
    title: 'Tercihleriniz',
    text: (address) => `${address} adresine hangi mesajların gönderileceğini seçin.`,
    legend: 'Listeler',
    pending: 'Onayınızı bekliyor; hemen onaylamak için işaretleyin.',
    none: 'Seçilebilecek bir liste yok.',
    save: 'Kaydet',
    unsubscribe_all: 'Tüm aboneliklerden çık',
    saved: 'Seçiminiz kaydedildi.',
    blocked:
      'Bu adrese mesaj gönderimi engellendiği için listeye katılım sağlanamadı. Lütfen gönderenle iletişime geçin.',
    unsubscribed: 'Tüm aboneliklerden çıktınız. Yeniden mesaj almak için bir listeyi işaretleyip kaydedin.',
  },
  forms: {
    sent: ['Teşekkür ederiz', 'Mesajınız gönderildi.'],
    signed_up: ['Teşekkür ederiz', 'Onay gerekiyorsa onay mesajı posta kutunuza doğru yola çıktı.'],
    refused: ['Gönderilemedi', 'Bir şey eksik ya da hatalı. Lütfen geri dönüp girdiğiniz bilgileri kontrol edin.'],
    too_many: ['Lütfen biraz bekleyin', 'Çok sık gönderim yapıldı. Bir dakika sonra yeniden deneyin.'],
    failed: ['Bir sorun oluştu', 'Lütfen biraz sonra yeniden deneyin.'],
  },
  confirmation: {
    subject: (project) => `Lütfen ${project} aboneliğinizi onaylayın`,
    request: (project) =>
      `${project} mesajlarını almak istediğinizi belirttiniz. Lütfen bu adresin size ait olduğunu onaylayın.`,
    button: 'Aboneliğimi onayla',
    closing: 'Bu isteği siz yapmadıysanız bir şey yapmanıza gerek yok: Onayınız olmadan hiçbir şey gönderilmez.',
  },
  sign_up: { first_name: 'Ad', last_name: 'Soyad', button: 'Abone ol' },
  own_link: {
    title: 'Aboneliğinizi yönetin',
    text: 'Bu iletilerin geldiği adresi girin. O adrese kişisel bir bağlantı göndereceğiz.',
    email: 'E-posta adresi',
    button: 'Bağlantıyı gönder',
    sent: 'Bu adres iletilerimizi alıyorsa bağlantı yola çıktı.',
    subject: (project) => `${project} için bağlantınız`,
    request: (project) =>
      `${project} aboneliğinizin bağlantısını istediniz. Bağlantı, listeleri seçeceğiniz veya abonelikten çıkacağınız sayfayı açar.`,
    closing: 'Bunu siz istemediyseniz bir şey yapmanız gerekmez. Hiçbir şey değişmedi.',
  },
  letters: {
    title: 'Gönderilen mektuplar',
    older: 'Daha eski',
    newer: 'Daha yeni',
    none: 'Henüz bir şey gönderilmedi.',
  },
  email: {
    unsubscribe: 'Abonelikten çık',
    preferences: 'Tercihler',
    view: 'Tarayıcıda görüntüle',
    read_more: 'Devamını oku',
  },
}
