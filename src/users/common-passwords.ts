/**
 * Passwords of 15 characters and more that are in every list of stolen ones, in small letters and
 * without signs between the words. Shorter ones are refused anyway; what is one piece over and
 * over, or a row of the keyboard, is found without a list (judge-password.ts).
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  correcthorsebatterystaple correcthorsebattery thequickbrownfox thequickbrownfoxjumps
  thequickbrownfoxjumpsoverthelazydog passwordpassword password1password password12345678
  password123456789 password1234567890 passw0rdpassw0rd mypasswordismypassword thisismypassword
  thisisapassword thisisasecret thisismysecret itsasecretpassword donttellanyone letmeinletmein
  letmeinplease pleaseletmein pleaseletmein1 iloveyouforever iloveyousomuch iloveyouverymuch
  iloveyou1234567 ilovemyfamily1 ilovemymother12 jesuschristislord jesusislord1234 jesusismysaviour
  thankyoujesus123 godisgreat12345 godisgoodallthetime inthenameofjesus blessed1234567
  princessprincess sunshinesunshine footballfootball baseballbaseball basketball12345
  superman12345678 batman1234567890 qwertyuiop12345 qwertyuiop123456 qwertyuiop1234567
  qwertyuiop123456789 qwertyuiop1234567890 qwerty123456789 qwerty1234567890 asdfghjkl123456
  1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o 1q2w3e4r5t6y7u8i9o0p 1qaz2wsx3edc4rfv 1qaz2wsx3edc4rfv5tgb
  zaq12wsxcde34rfv qazwsxedcrfvtgb qazwsxedcrfvtgbyhnujm q1w2e3r4t5y6u7i8 a1b2c3d4e5f6g7h8
  abc123abc123abc123 abcd1234abcd1234 admin1234567890 administrator123 administrator1234
  administratoradmin adminadminadmin rootrootrootroot changemechangeme changeme12345678
  welcome12345678 welcome123456789 welcometonigeria nigeria123456789 chelseachelsea1
  manchesterunited manchesterunited1 manchestercity1 arsenalfootballclub liverpoolfc12345
  youllneverwalkalone myspace123456789 linkedin12345678 facebook12345678 instagram1234567
  whatsapp12345678 trustno1trustno1 opensesameopen iamthebest12345 mynameismynameis
  oneringtorulethemall maytheforcebewithyou tobeornottobe tobeornottobethatisthequestion
  hellohellohello helloworld12345 goodmorning12345 summer2024summer2024 winter2024winter2024
  spring2025spring2025 monkeymonkeymonkey dragondragon123 shadowshadow1234 michaeljackson
  michaeljackson1 christianoronaldo cristianoronaldo cristianoronaldo7 leonelmessi1010
  `
    .trim()
    .split(/\s+/),
);
