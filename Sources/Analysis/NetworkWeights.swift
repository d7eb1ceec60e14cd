/// The weights of the speech network, written by Benchmarks/silence/train/export.py.
///
/// They are text, since a resource would have to travel beside the binary, and thousands of
/// literals keep the compiler busy.
enum NetworkWeights {
    static let width = 16
    static let blocks = 6
    /// CRC-32 of the decoded bytes, as in zlib.
    private static let checksum: UInt32 = 0xae2e3a65

    /// The weights in the order of `SpeechNetwork`.
    static func decoded() -> [Float] {
        let bytes = PackedFloats.bytes(base64: text)
        // Whoever edits the text by hand is told in the first test, not by wrong decisions.
        precondition(PackedFloats.checksum(bytes) == checksum, "the weights are as written")
        return PackedFloats.floats(halves: bytes)
    }

    /// Numbers in half precision, least byte first, in base 64.
    private static let text = """
        mC9AJXWpPrEpuOSebzZqKIEvwbJFLZ4w17CYtFmw0yR4sSqxAzXYrPG3WyXIJ/6qnLA1MKqx2KqfKrauoijoLHCoKr\
        DaM8csKrZuJReu2yqPLkQwn6AlLJysVqwVMtwzeyRJseskNiPStTumTrBIHfCxejBBJLikISXSKFg0LC2hLRGkCy4Z\
        E+WzlyaBtTAo/a5aMxGqEC+vLP+rKC9LMTenoCkJMIWp4SrYKvWyn7LJrWKwZ7NAIqefUSv+r0it0pq5LFYmQDDeIo\
        MoDazzsQWvEauhpdUs5yg5KMSx/6AZr3W3gjJJKxWygJyZrZqsvCLSsJGr96mJqaYwHbJTqdIvuLMZLTe0BrJTLEyt\
        RCi8rfCt5q0lrUYr+S0csfktRSryE00u57Elsq2t9ah3m82mkCduMEq0AyuPq8evFDHlLZ0puikPrT2wO6yjLdgeMS\
        jbqBMjnLAwI/YxmKs9ru6sD6wWMCurCrMaqCisord7rxYquK8FryqqwSZ+IFCyniWFKMSkHywNrd+vmKDvsA0w1y0t\
        sWEzxBbXMXAXcrTzKk6vvah4LxOv+SIZIduohDDQL2enOiupnIkvfKMgpvqkjq+NpsKnbDJlLaQwTbDtKQstuCszLW\
        +i7p0XLdewVC1uMc+nDyWaMEorkzA5LkChqa7zsO8ula6Pny8u1a0gqVoooaBnrzolNSswMFasTaulrFkspSbcr00Z\
        ayzAKDgwSrAwLiSe6CrXnFKskrTXrCujyTHAJCEwvi3UrBoveamyL8QwXjHOpBItV7CqrwsyfyyxJe0wHgvBMBOilL\
        OlNDCohSSZraksZC2IL3utvK5aMUYwjihhMOQg16w/swiwVzA6rOksQbJXpBilCDVmNN4j4CpvsPwrDSppqEsyECmt\
        pUixNqnNL2EyDKjnH/s1aDTXLs41q6+psTgyCjLQONQjfLJ8sYEoaaLtqIExta9KNlAzM7GOMnCykzIerugtf6v/qJ\
        KzvK7IrY2hMbNTLdUo060Ip7YxmKkkrHOoCyj2siyrDzHOsnSqazEBrAwxSDYEMyUsVC3pstYwbjWAOPIstaWQMuYw\
        VCqOLRMzzzG3J0Y32imkNK0xazLxNemo1y/ZrwuxMbJgKoQyOzE2LxMYkzC1L7sniqwOrXewiysjLMQxOK7nrHOzUi\
        SOMcunH7IhsfeqIiZJqiosq6zYLY2n3q+rsIS1XiwaNryZ9jM9s/8uZDDqrhq24bBXKJinya5cNZmt3rGiKz6kNq2g\
        GDAsuK9XMvAqZ6sJE9gxBKh6qs0wVKPDsB4vA6/TIkIw5SyBL4Yuza8Bnt0xazJdH46xnCyUp8iv7SuNr1+twybvM7\
        4zPjCwMeIZ0TJ6LKku6Cx+LIusyKnCJzC17ix8l0EyWyQuMJgw/av5MbsyM6RHMUwuXrByMTUuU7Gbr7As0az3qEAr\
        Tq1zrn6vJS55IQ8uyC6upn2p8iqisNmxZC4QqVCgjjKHqXsuvLDOLJMborZbMhKjZq2ZL1Ws2Kk2nBEhGazbMB4jRC\
        +nsdQs9qMQtgYtYrQOrIctJa3cLlirKS4NrgUmiKNcLxCxLZU7qZ+oWC4LsuWzIaq3seUwjjAFK4sjrK4VnBQkjbDL\
        MQyooC8+q5WlIa02q/qghidMLqCjvC6Ipv6hDRxsq3KwnCYZKNIZEa0esaemUp3GtTwqu6ixGcios62Oru6qgrBXKC\
        kvbisbLvOlqqd2G0G0Ty7xFqGvNi6+Lm8ujSlntBcepqlnJWIsVi5lK6YqerH4MXws06k+LbIogp2grWevh6rdrm8p\
        eal7MtMsDjDgsNUxayxTMIMwSSaDpBwlNLMiMHAwr6XRII4x86phKuAlzrAMrgsgsyZ4rTqj5irrrEmtK6qeKagrti\
        phL+0mqCeMsdGsSStyMfyk2KoyJhQmHSS8r0AvgaqxqE0oc6jjscGv/ChHKHMnvipQLvGolS2zsiw0JTJTLpwv6SP2\
        n0+tYCqnq4GxWTJ4rG+p45WGr4kyJqohpL2w8i6hpOcgIq3wsnYtuKw5K9sr4q1woBUgj6/jMoKuTjL0tIGnO6yDNh\
        Ez0i+iMKetbC8OLVekRi/lqV8mv68iLggqHTJPKCAsAjdGNF4sHTdwpFiyLzArMpo5Yaq/sFewKTArKV+pOzEyrJk3\
        MzTxqgYxsK0FLWOqlS8YrEIoarSStdiq6ChhsDAu9Cd+Kxsrji3nqDgsZC0YKhqwHKvzMPOxhC3qMnmtDBvAN2Eywi\
        iGLUKxKjLHNDM4ojP1rCcxB6lQMKcxYCzrIKchyTeDLiw3bjOAMek1eq3kKGatpKT3scOsBTIWNBkhayn6J+wtGykf\
        sPilBrRWJbcyvinZq1qz67JKLUUx5RvqslKx/iuBo2gogS17r9gunSdIseSqxC5rMLA036SbMU2tNCsYN6GuWLQDsV\
        QuPalDtG0xbK5GNWGaThalsmItmSTNrv0xTTCEsNgtfDCkKBgs9i6fphM01TBQs1QsZzPsLrAwVjS5JNGwJjQSMvUs\
        lrBIKz0pRS9pLwev9K0dKUwxjzFuM+8xySJsMgooDTNcAicsX6TeLksuBbJaLtAa1zCGKXIzWy+orCwwAjEPLIcxHh\
        zaq9403ifbsuqtxSfysG8rYy+eJUWveac7McwtBS3mLQowxCrhI76kJq/ioQauYCX0MHoi5ywzsNkgjKh2tgAyn6vJ\
        MYmq86ykpXigSLFFrh8sXyTTCTatCJSXoAK1HCBWtTgwt6goJUwwlKxyrVes6jDmql6uCbEzsEsn7bC4qr+wOLJEre\
        +s/Sx0qcQoGCUBI8Ck6LEbHBEukS81L14ica7gInUgRJ+GK+OmC6yELrMn2J8GLVErQq3yo8MwkSyYqM8pKSWVnZu0\
        X7GorFaxcSWRHU2yPywksu6fTSwblrafg6AVrKwdNbB9rCitgayGLHyrgR4ZJ8+xgDCKrCqo0ywdLdGfLyzcsEgr/q\
        6eorUuFyussO2qrKnYLTavzCyNKfovMSiGMh6yU67GpHIsNS+9DQ2woy2SrXMwuTG3rwQuXzK9mLgtdRhWLz8hbaaJ\
        qecjnrGELIqvza1RrqOinpzDLLapiCkqsO2kWa+eJU4vfayfswiscyReLmSyrih8pScm9SQ8mJKzLS3Gp50tgCo+Hd\
        6pfbCvqcCyyC0+MNwuAS+GqnSmC6skLtyd1LHWJ4OsHKtKJb+wVCQlK4AlbK3cLI+opSm6ryKw2iSjrxUoUp5nrmWg\
        bbBUqqo0aLB4LgSoXyx8qMw1bDRELbkvmq7iLLswha3cK82spyxmsuUqKDPDLaWr0KlzNvg1tzAEN1GtMrSNMpQwvT\
        m3LvWqobIPMm8SFSzyMM+sxDYCN26sPDTzsl8sZavXKq+q0igItKqvhqwtqlqygjFxrjswqq0gMuWwly+rqogjDLAR\
        q7Qxz6O0osUtCCPTKb02CTUaLD8wi7KiMI41ozglNRmtdzOkrIQjsjIlMaUqf7AfOBunYjbmM0GpADJCLOUoliEXsg\
        WpOaExMl40LR7VpO8oUSSFJw6uOKI4tN8nCyyzLsWw2rNGrzQrES7jIfGwEat1rQWotSkvn5Cw+DIYLgayNa8RNhEo\
        ODQIHdE0gbDfLFwznKFitCmwIDAZKHyy8jDQMMo30aieqoCsBDATqNarxSvqLwUuQTALK7cmqqh1Me0tATaHKgGyty\
        ADNuUlsDJVL2WinyIbNZ8xMC1ol6+r1i42LmgtUa/zr9Mwwy8ONCY0XTKvLlYxfCpZMaAvw6rvKLwv5SkJtNow7SnO\
        KyQwMDLXM9mtQihONJsrrTHHor6qIjRVLdKw3RVfrD6zfiUnGc0ti6x+r+8uuS75LG8VMS+LM26eJq0kseerjbIxLO\
        UiXiitJnetyaz5JXS01y51LZg0hKteG7IuoK1hrjOkqK3aKW4sl6+TC0EmJ7VHH16xIDQiJKsnri7csDanZa//LDGt\
        Jyy8rMuxCqd0rSMtAK5BJ6omxpq9MQ8wEKp7K0Cm4KjMrAQezjJPLDImUqxyrYguZimiLvcqUSq1sEiopR65Kn0v1q\
        alsQcvFa8ELiivFjHaKzUnWLRZr8Kv7K60quAktKdPptOxAydtI1YodakTMLGo7pyFtECsKKrxr8CciZ9wMxKjCbL2\
        MDeyXSjQLNwtWiu5KHWweJj/rU6ibaDgKgwwiqq4sPguEq6LLS4iajCxKDMzaq7iKB+x/C2RLngdYqqNKh+1+TF7LX\
        opRi3yMGOtJiqeKhEtgyKLLCGwgqnYq0IpYqyqqOse6aUFnDstv5duqOSuJ6e4rQkvo5wnKWCksiKZKwwt7LGTJpio\
        TiyssA+jTLJNLeCe/S0/puostC7YKVymbLFboeYw/i0JKg2wHKvUsPSphKAEruIrZbFKoy8n/bLgMjKux6eusEEoWK\
        UNJpaqmrQtLJqiV7B0LUwgsTD5qm6tYDFoKZwwPyv7LfqcOzXQMpUkBjBhrTwweDFCo0su5SlWrKKxPjD9Myc0ALBS\
        LPk1CzMTM+I1R7GisjwwQywIOcQiM7KIs7A1Gy7Lrn4wxigyNq82Cx97Mjqy1jBusPMrmajSKPWy36sMq72sOrLQMe\
        aswzAQruMuKCPOHeavLiQYrvupNjGQMakoqSjkLAMw6jWQM+0u7Sj3rWsxjTLGNnQ1/aAmM1ywp6ZPLIwxhzFQqBM4\
        Fy+ONpAwLayTMrqgPSzpKrqqrCjbrzQx0DOTsKUorCyGLA8psyRGmXi1CyxvLB4tn6rysxax8SsELUWtc6+iq06oza\
        AcFWgghqkkqsgw26qVrnGuYrAVMrIwGjV/KWskNqSQOTUnhDKFNfe3l7iJNgMmMDYdM5exx7PfuKM5+TfquCo5fTaa\
        MvKyuR4gL6kuT7AFucy2nrNiJGQ06rFqMgyudZK/KDO117fTp261J7VqsG412a4oFTk4XTiGMtUkXDK9tGA0PjSQsq\
        2wzSwjs8S22DD2MUy2ra/ZsWwwrSmYsmu39zY/MyW4dDU8OWq4dSZTuJMwg56ltegvnLGCuju1D7gBNIK2hbWIuk+g\
        5S5tuJm4NCropLktv7cPtSa0ijn9MkStkysIOouoyjc7MfcjVbB5uli6QrN2sJu7wDn9uZc1gDaJMDi2vSfQqWWuZC\
        mcuTW43LEtNc0sfrTZOe852zD4MXUoeztHtAE3yq2Fn9mx6akFuYA4VDOUtAs0n68KNPss+qupKKK0TDBWKH81CyBg\
        KRum5awNs5mpxLCqLG00JhM0s+40Xbr2OKwxUS4huz+1o7j2O7C8abeAsWy9EbrAOJe4EbQjMNum4LBCLhY0hzEwNJ\
        ekSzEhsaitrDKALKGo9iXGsSuyLbISsAoyVKLHqHiwq6+ZMC4yaDCuMJUwpy8SHH0sNjKtsSWuoi5Mri4ykTfQLRSy\
        jq3rLkyseTbctRA0Ta1JNbUmOrJ1s86ozjg7MK4sQLg+MbE4jjh5pDSsEa15pIO2lLDZsVWmorFGJk6yIiGyurO2Fr\
        hsumK6tTLUs4yxdzYXuGCwqLQ/NZssW7F4txuwETkZNG2vpq2WL+k54DhZtJcuZau1LOsgITeZvGWsUrVjr0SuDLhO\
        r9Q4obfes2M2QLa7rsOroq8KNPYpxbUlMFEsezcSO0E5GBbPNjCxibbvNR4jVjIEmW6oTLieLdOzja35KySsFrWZLp\
        cqjzE6NDyvu7IhJJ0x3rNMpnAqFrAsrVKqKrAZoqwsyzHvNOWx6TNmLXQz5bS/r5G8BjSYt0wk3bK7pQ265jR5uCS6\
        La4QryexM6xOqKyk6DLyNXmu1bLkrAEsZzN1ssMtQCs7MOK1aaKOsGEtn7csunQpyavms1UzubIMObk3mzkANNA26z\
        HmtRC2IjWpN3SzWzbmN9W1aC3wuF4wtrL2Mug1+y3uN8K4rbdoLwu4YTV5MJgy87DxsaM4IbnttO+67bK9OS4oQSXs\
        tUqcFTZ6OTYyUypatVC167UQt7ekC7TQtpetm7W1NqG5+rBstOQ0vrFLvNO1DjdOqyCy37SbMIazKiuLmeA1eLVhs6\
        uvuq9ZtGsrgjX3LQm35aCXqNWverIwNY4gM7htqMywdzQzM3a1OrG8Nyo66DR9NHW0kzhaME82R7j1LHevALkvMvGx\
        eTIStra3pjuEN6Q2366XKgM63SzVNHs0IaiEKcckwLjrNQ028rQ6ObMyKynhoTUtUrAqLq6k562rNhWzL7Bbr5C4KT\
        YkOZQ0QC9wszs3vjYytQQnKC7zsLso5SJzrIQuii7LLF8xQ57rsT2vbbHvLEI0F7j6OgU1ALgStpY3qru6O7y8K7pA\
        OO06k7OXNiYzgbPJrKSymbilrJo0EDUBtXGrjTItMLI6lDSbojCs6DVhOkqxIDI1NKWv8TFMKF2xuqWFMrsuljB6NF\
        +zSSjcswyxwTJas4C4vrAWNgWv/K84uLCyTy/drmsxA6nmJK0l6TjGrxww+atbNhGxxK3umoMxaaw1spIn46lBsHU2\
        P7SJqjCtOiK9LQGwMDGjMIctpTF0NmsvY7HZskWkDa+voQa107oDOWA2cTD6sXq1qblnOSC1M7GKqVO3/rQENoUm2a\
        qCLQa1DLobtEwsdzfxLI66CrPZODI3fTgjNwG1TjgDuH4qo6wpLbGwEbkoLyg2UinpsKounju5MkU2VC4AMqgwdqN9\
        tEuyq7PXNN8wsyyhuf4swjYeMgIyKSdprNY2ybiRL2m2mqwFMywo2zEWFr20tjGfMVI0ODYPsiso2zbes+KvgqoXKM\
        OyIBH2sMY1JCEipgqu6rHXreA1vbHfJKCw8jbytTwyXTW6tRitkS/ROII2NLT8uYYaI7E9uTK27DDBtrq3MDhLOD25\
        5jNXMEU6qbJWuVi8yzATsoa2h7ORsxu4Z7cUsdi6IbV5MYexWzdEMOG0RKripNG1vTdpMcWz5Te/ueQrAK3Srxe0TT\
        itOowoUCc+NWE0ljbMMNe1WzdlNamyNTFjLP0x4i6+sc83ZTUCqGQ03zBPNWE3nbTRrj+mHjfQMFmyiS7csmA1Lziy\
        K580orfnpfippzDoMxOk15/5sbi1OSxmMhMulyYWtG4yZznaNBgxVS69tserhLOHOJu3ybcTskw5CjWFNQS4FzBaOK\
        oznjP3Lgay27Izq2S0ODXAKcYyVi/QuFutxjVjrhWwK7F4smkxs6vzsPQpnLiINI8zOjCLrsIwhyXfOqe1H7t9tCWp\
        ObMmsN8jV6uUra0v0DRjNogr+7RFuMQxfqHGrL6mlyRumYGj06k/I06ySzFwoiutJTFtL4CwwCslL/wsxaWttIa0cL\
        GfK7c2QzF1MIWqDSnyNGKzeTUoLHyweJ5PMEcx6TKHsSks+rFNsPg3lDOQNyO2gBuTrpMuFjYTtjutny4WuQA2xbUr\
        NXSoeTE3pkUv0LRTsTYqXyQPtIa1AS2gNOsvmi8wMm0uPavCLO0grzcZtLGx9bIUrqswFDTYsZC0XysZMJu1LC0bvB\
        w32TEAOrs0r7Rrq8kwZrVMujW566wxtEc3ZrQXJSmqKzUFtgyh/7aPM+UwMbC0NL2uV7FCLv2rYjC4NNkwbiafLCqz\
        cq8zL9YzpjPeM9syETEzJvYz9zEbtQM3MaugM1i0HrM6uPszrThiNZu0nDQbOKwuii+mMP6y1DAiqXKh9DEAL3Y1sK\
        7/swm1D7G0JhUhiKnJtSKrqK29s4s0cDJZsTi2brIyMjypX6/Cs2A4hzDeNd4grjSttu40sCnNqpWk/TLdtNsr/bVP\
        Myc1OCNqrYyk0y0PN760CTBSnLKrobGiMyG2v7d1NOQ2gqDqNJS2hyr+JJA4IbQ/uLuvc7VoMXe2IrqBuJsxAzdRrW\
        s2Yrh8thm1RSb3uVe6qjYaMbwqUDeLNIcu/TjHsvW1Abm6MUo4/bQgtnkzfrxWuUO5lbP6N3m5NS6VugqrwriXtk22\
        F7GHtkYb0rcquNKTY7J5szw0qLVgKtCzTLXfubO2Z7W4tom0s7A6K1kwKyegMY84irNlLhw2kjKiMTu4q7EXLLk1DT\
        j2KNY11jG3JD+2sTFzqXI1TzTkJ8y016zHtPyx7rOUKfmwKbA/KYKyNzRvrm4pcKgktU2yejV0snGwoTRArGYs9zSp\
        secuoyxWsTwzDTCANZmrLrKZpwerCKy+sWalJbMTIwU0xytusKIy27CmtXK40awWN3+437bTNYU5ejTiN9cuz7dJsC\
        WuqrNyK5swLDRMKbOxCi5TpxqwK7GFuBC2a7PxLPijtTcerSmyBzX0Nfkz37XUK961RrQxI+u1srUqrWA0fCrrs1s1\
        AbQvshCtO5onNrEt+ravMzoqvLFcoxMqFLW7NQIldDT1NoC1CDWJteEyC7jYM2sp2TXSOr4wILKSsZWxCTLcsosseD\
        XzM2AxrDJMtIWwJLNys4i47LLPsFk1Ua8vK3u3hzNFLHYyaDRVtR2z7jZUs4m3UrS5sIixFDJVrmc51bfEKKWogiRR\
        sNu1FbAKJUWtEi+Otw21iau/K9ayLDjFuoC1zTN6NkEyFDAhvPm1a7ZTNFOyYLAoMH2uFSpsuDY4TrjQrm2xfqndNs\
        swM7bwNeY2JC5CJ+MxNrZ7MEixwTIQtNG0tbCWs1cx4bCTKh4vFDaZNBI2py0at7g1wrYAtJaz37NjNUyvuzQluaoy\
        ADEhOqsryDGkL8O1RrWNtWY3o7WoL5OwSS8TMPKwJ50ApE8z3rYILugyvC8lKRc1ty80soiwULKpKrGyHy+msOSpRL\
        SYpgE06TUVs7gkVzPbL8E3OrSjtF2ndq1HuEAxjLH+t00sPDAVMCYyfq9Jrv8zdTfkteYu+jO7sECx8iVKtb22v7jm\
        uKqyljCnsFS4CTvisCgy8bm7sa22RjkxNRG5TrERNqkxkbyzMxM3cTYztVY0NTLbuHE1EzKRMMm6ULSYtlIw4bStL2\
        QxVSoHKBgsEjV6JWexTKblNPIV0aTYqYS15KyHKJKfYjPmtRS5TrlIsO+4zzcCOJy0Kbb6MoYgojjStNG4P7VwoHm3\
        4atntY06TCf8MFIr+rBeqQKsQ7C3ucGzUK5NuFCvZLLdrJYtZzR5NZ4mFDGistymFymZKy6417TFsAS3VzAotUqt0a\
        qqOBYzUqlysEW2XqzJKtOuPLW8LLouVrkZLhuz4bicMikyoLLxtnSw+TTrNAq3iDS3rDAyzjhnLq21v6seNmgy17hQ\
        LwWuGzG/qS6hG6z7LOiuIqlIJhwzuDLLK4MxOi/XH1oxLCspNHsLUrE5NUy0wLTqKiUhCbmRMF62gLJVNw23G7awrz\
        e0oCzTNE20NiMOMLI0SiODNYiwqTVbqLe2hLZLLbGxjjAFNdegubAEtN63TqyErNyo0jAYNq81wrZ0tcOlgzQrrJi0\
        yrQtsI2uW7KPtRqzsyaXscO1i7Vztg01GzV6MkUwNrTOtG827bUSNba0GbVwts812DIPLvmuCbFvKhewwjHRsBWvda\
        PXsNC14LJZtG+14y5ULGi4T7LQN3sqYDXSnJy47rM3NW6tFbQArqKyurh/Mgaw4a3WJgI68LY5L6StpjHBq6e63TcA\
        MqEszC0CPHS4dTSyteSywC1DNPozsDN0rV0wBrFYs/asSy/sM6gjiC0vpr8mQC+DN66yGLM8sNgswK/5slUrd7N9NE\
        4zIq88H+6tg7JVLyk1LLUQsiuybzT6L9GmXiusLlsplrAYsC2xGDVoul410rj1pB+1jLEvMSQwoxYRqxidpTMcrWI2\
        6rEyNDoyzqsztLA0VqRMtM+fPi8DtCczkDESqZ8npTfCMuSqOSdYMo6yajd8qQqh1TQ9NUoh57T8M5awyLQrM/Qu5L\
        icLFU5LDb4t+MtKLAiNiY0GDZxsTU5zDEEtTY5yK9UuQ+31rTwspM0lLZfJ5a0XjVJOaahPaTKssqkrDMcsPysKrPC\
        rH61ba2MLIo1Xac4J+M1zbDNp3aizTHkNTA2GBX6K+013jacoqi4l7YFuVO6Oy1dsFs26C7StZAwAzlDL6W3aDKDLN\
        qyICTbsjWwQ6c+sQ0cDy/fMKc0LjNzscGSDzEmMQEvXrRetieroDJBMz2o7y5wLRIvVSyXH3C2aTL3NKuktyejmUAx\
        zyBLtaeg9jEVtKIwUqj0rNytQjTQrYq0rCZQtpgwUqwNMz6w9bOKKB60EiSIsV6xzapBrnm0zLEqsGO3PCwVLCkttT\
        ItrLYzF6zEN46svrKkrE8tm7N2sSiyFLY1JL0wla3Tsi2zDTWKs/ElFSl4toqrOjTatNGwf622t0ekODSWMQq0qLI1\
        M0O37arXJy+v3bAzKM+uo7L/rHCkAzCXLT2w0rQpsuqttCUAMRwwQbPSsgsgZCvHtMetF644NBkqXjANLMqhGSXvrU\
        eoa7VctU+z7zLQtcSxSyzunf0ttrEJsj0w2DDvproWD7I0Lxc0oS1kLAovUbGUqGMlbbKCMKKxzLB4IOYwZSWoMyQs\
        eS+9Lf8wHB0JskKua7L0MDIwTS9dsAe0xy1zsYMxVC/8J2mtyS9ZL4S2jDRiMly1abSFrGQ1VTIWqzwyBjRspHYrjj\
        Kur3UknjbisDivDCjAqS8crrRFtAot0LDJL7Oyp7FHLjo0XrLctXC1NDAWNNkzNTQUtE63My5ss/mz8rBqtLi1mjX/\
        sYmwGizzrwCs4ShkMf+0bJM6NWWxMTAjtNGywzIJqym2MjLaMmC1F7TZr0sm96nhLXWuJjLQK7cg5DG+rAMw96vMIe\
        8uESgQrsa08a2sMOgwhqZXJpYk1CRAMbYmeq3SLVwrKC4yKAWukrROqTAxSDFqIQYpL6RHLO0w3irqreot7ihrMOMy
        """
}
