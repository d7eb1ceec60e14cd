/// How FFTW computes transforms quickest, as `Benchmarks/transforms` has measured it.
///
/// In FFTW's own words, which it understands only where it is of the same release and has the same
/// loops; elsewhere it does what it estimates.
enum FourierWisdom {
    static let text = """
        (fftw-3.3.10 fftwf_wisdom #x9e7d4dee #xdb14fed1 #x34bf76a4 #xeb6e8fdf
        (fftwf_codelet_t2fv_8_avx 0 #x11bdd #x11bdd #x0 #xfeec02f8 #xbbf06357 #xb26e7a2b #xf7b9dcb8)
        (fftwf_codelet_n2fv_20_avx 0 #x11bdd #x11bdd #x0 #x57bdb844 #xc3bad151 #xc57e7224
        #xa06d5f8f)   (fftwf_codelet_t2fv_16_avx 0 #x11bdd #x11bdd #x0 #x06ae2b11 #xfbf6e07c
        #x9ae954a2 #x648df472)   (fftwf_codelet_t2fv_32_avx 0 #x11bdd #x11bdd #x0 #x94ad6858
        #xa5d3066c #xdc1ed7d4 #xb9d0d5dd)   (fftwf_codelet_t1fv_64_avx 0 #x11bdd #x11bdd #x0
        #x3cc9797d #x91d96cce #x23d08481 #x0d4d65b2)   (fftwf_codelet_t2fv_32_avx 0 #x11bdd #x11bdd
        #x0 #x2c50659a #x343a7df7 #xd727540d #xacfea1f9)   (fftwf_codelet_t2fv_32_avx 0 #x11bdd
        #x11bdd #x0 #x3dce61cd #x734c6dee #x2dc5352a #x8304534b)   (fftwf_codelet_n2fv_12_avx 0
        #x11bdd #x11bdd #x0 #xecd9d866 #x37ea6295 #x48c8aebe #x0b85c7fe)
        (fftwf_codelet_n2fv_64_avx 0 #x11bdd #x11bdd #x0 #x60f7dd6b #xe5962c71 #x960dc0f4
        #x2fbec2ab)   (fftwf_codelet_n2fv_8_avx 0 #x11bdd #x11bdd #x0 #xa65d78bf #x28c8422e
        #x8fef6075 #xac0aeb71)   (fftwf_codelet_n2fv_8_avx 0 #x11bdd #x11bdd #x0 #x6af30f58
        #x888f2b57 #xe7e2a33a #x9ba6b982)   (fftwf_codelet_n2fv_20_avx 0 #x11bdd #x11bdd #x0
        #x3bcedf08 #x6250e457 #x0896ad4e #x8567cdd2)   (fftwf_codelet_n2fv_12_avx 0 #x11bdd #x11bdd
        #x0 #xa468690d #x5907d6e8 #x0d372b67 #xf0a85d14)   (fftwf_codelet_t2fv_16_avx 0 #x11bdd
        #x11bdd #x0 #x8f86ac3f #x7cc3d8db #xc7865ecc #xea8b825e) )
        """
}
