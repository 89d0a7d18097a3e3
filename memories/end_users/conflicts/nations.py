"""Places that take in cities: countries, continents and well known regions, folded. Pure."""

_WIDE = frozenset(
    " ".join(
        [
            "afghanistan|albania|algeria|andorra|angola|argentina|armenia|australia|austria|azerbaijan|bahamas|bahrain",
            "|bangladesh|barbados|belarus|belgium|belize|benin|bhutan|bolivia|bosnia|botswana|brazil|brunei|bulgaria|burundi",
            "|cambodia|cameroon|canada|chad|chile|china|colombia|congo|costa",
            "rica|croatia|cuba|cyprus|czechia|czech",
            "republic",
            "|denmark|dominican",
            "republic|ecuador|egypt|el",
            "salvador|england|eritrea|estonia|eswatini|ethiopia|fiji|finland",
            "|france|gabon|gambia|georgia|germany|ghana|greece|greenland|guatemala|guinea|guyana|haiti|honduras|hungary",
            "|iceland|india|indonesia|iran|iraq|ireland|israel|italy|ivory",
            "coast|jamaica|japan|jordan|kazakhstan|kenya",
            "|kosovo|kuwait|kyrgyzstan|laos|latvia|lebanon|lesotho|liberia|libya|liechtenstein|lithuania|luxembourg",
            "|madagascar|malawi|malaysia|maldives|mali|malta|mauritania|mauritius|mexico|moldova|monaco|mongolia|montenegro",
            "|morocco|mozambique|myanmar|namibia|nepal|netherlands|holland|new",
            "zealand|nicaragua|niger|nigeria",
            "|north",
            "macedonia|northern",
            "ireland|norway|oman|pakistan|palestine|panama|paraguay|peru|philippines|poland",
            "|portugal|qatar|romania|russia|rwanda|samoa|saudi",
            "arabia|scotland|senegal|serbia|sierra",
            "leone|singapore",
            "|slovakia|slovenia|somalia|south",
            "africa|south",
            "korea|korea|spain|sri",
            "lanka|sudan|suriname|sweden|switzerland",
            "|syria|taiwan|tajikistan|tanzania|thailand|togo|tunisia|turkey|turkmenistan|uganda|ukraine",
            "|united",
            "arab",
            "emirates|uae|united",
            "kingdom|uk|great",
            "britain|united",
            "states|usa|us|uruguay|uzbekistan|venezuela",
            "|vietnam|wales|yemen|zambia|zimbabwe|europe|asia|africa|north",
            "america|south",
            "america|america|oceania",
            "|scandinavia|middle",
            "east|bavaria|california|texas|florida|ontario|quebec|catalonia|andalusia|tuscany|sicily",
            "|provence|brittany|saxony|queensland",
        ]
    )
    .replace(" |", "|")
    .split("|")
)


def is_wide(value: str) -> bool:
    """Whether a slot's value names a place that takes in cities."""
    return value in _WIDE
